import { memberNames } from "./argument-names.ts";
import type { Builtin, Method } from "./expression.ts";
import { builtinArguments } from "./keywords.ts";
import { raise } from "./problem.ts";
import { equal, isEmpty, isList, isRecord, kindOf, memberOf, sizeIn, type Value } from "./value.ts";

/** The result of a builtin or method. Throws `Raised` for wrong kinds or numbers of arguments. */
export function applyBuiltin(name: Method, args: readonly Value[], at: number): Value {
  const [first = null, second = null] = args;
  if (args.length !== argumentsOf(name)) raise("arguments", at, name);
  switch (name) {
    case "length":
      return sizeIn(first, "items") ?? sizeIn(first, "characters") ?? raise("wrong-kind", at, kindOf(first));
    case "words":
    case "lines":
      return sizeIn(first, name) ?? raise("wrong-kind", at, kindOf(first));
    case "empty":
      return isEmpty(first);
    case "contains":
      return contains(first, second, at);
    case "tags":
      return tagsOf(first);
    case "has_tag":
      return tagsOf(first).some(
        (tag) => equal(tag, withoutMark(second)) || equal(withoutMark(tag), withoutMark(second)),
      );
    case "starts_with":
    case "ends_with": {
      if (typeof first !== "string" || typeof second !== "string")
        return raise("wrong-kind", at, kindOf(typeof first === "string" ? second : first));
      const [text, part] = [first.normalize("NFC"), second.normalize("NFC")];
      return name === "starts_with" ? text.startsWith(part) : text.endsWith(part);
    }
  }
}

/** Number of arguments, including the receiver of a method. */
const argumentsOf = (name: Method): number => (name in builtinArguments ? builtinArguments[name as Builtin] : 2);

/** `part` is a substring of a text, an item of a list, or a key of a record. Null contains nothing. */
export function contains(whole: Value, part: Value, at: number): boolean {
  if (whole === null) return false;
  if (isList(whole)) return whole.some((item) => equal(item, part));
  if (typeof whole === "string" && typeof part === "string")
    return whole.normalize("NFC").includes(part.normalize("NFC"));
  if (typeof whole === "string" && part === null) return false;
  if (isRecord(whole) && typeof part === "string") return Object.hasOwn(whole, part);
  return raise("wrong-kind", at, kindOf(typeof whole === "string" ? part : whole));
}

/** The member `tags` (or `теги`) of a note; a note without one has no tags. */
function tagsOf(note: Value): readonly Value[] {
  const tags = translatedMember(note, "tags");
  return tags === undefined || tags === null ? [] : isList(tags) ? tags : [tags];
}

/** A member by its name or by an alias of it. */
export function translatedMember(value: Value, name: string): Value | undefined {
  const exact = memberOf(value, name);
  if (exact !== undefined) return exact;
  for (const other of memberNames(name)) {
    const found = memberOf(value, other);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `#summarized` and `summarized` are one tag. */
const withoutMark = (tag: Value): Value => (typeof tag === "string" && tag.startsWith("#") ? tag.slice(1) : tag);
