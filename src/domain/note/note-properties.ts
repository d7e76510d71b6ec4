import { parseYaml } from "../text/checked-yaml.ts";
import { MAX_FRONT_MATTER_BYTES, splitFrontMatter } from "./front-matter.ts";
import { shownText } from "./shown-text.ts";

/** A property of a note as text: a list has several values, an empty property none. */
export interface NoteProperty {
  readonly name: string;
  readonly values: readonly string[];
}

const MOST_PROPERTIES = 200;
const MOST_VALUES = 200;
const MAX_VALUE = 500;
const MOST_TAGS = 200;
const TAG_NAMES = new Set(["tags", "tag"]);
/** Letters, digits, `_`, `-` and `/`, and not digits only. */
const TAG = /(?<=^|\s)#([\p{L}\p{M}\p{N}\p{Extended_Pictographic}_/-]{1,100})/gu;

/** The properties in front matter, without tags; empty if there are none or they cannot be read. */
export const propertiesIn = (text: string): readonly NoteProperty[] =>
  frontValues(text)
    .filter(([name]) => !TAG_NAMES.has(name.toLowerCase()))
    .map(([name, value]) => ({ name, values: valuesOf(value) }));

/** Tags of the properties and of the text, each once, without `#`. */
export function allTagsIn(text: string): readonly string[] {
  const inFront = frontValues(text)
    .filter(([name]) => TAG_NAMES.has(name.toLowerCase()))
    .flatMap(([, value]) => (typeof value === "string" ? value.split(/[\s,]+/) : valuesOf(value)))
    .map((tag) => tag.replace(/^#/, ""));
  const inText = text.includes("#") ? [...shownText(text).matchAll(TAG)].map(([, tag]) => tag!) : [];
  const tags = [...inFront, ...inText].map((tag) => tag.replace(/\/+$/, "")).filter((tag) => /[^\d/]/.test(tag));
  return [...new Set(tags)].slice(0, MOST_TAGS);
}

function frontValues(text: string): readonly (readonly [string, unknown])[] {
  const front = splitFrontMatter(text);
  if (!front || front.yaml.length > MAX_FRONT_MATTER_BYTES) return [];
  const parsed = parseYaml(front.yaml);
  const value = parsed.kind === "parsed" ? parsed.value : parsed.rest?.value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).slice(0, MOST_PROPERTIES);
}

function valuesOf(value: unknown): string[] {
  if (value === null || value === undefined || value === "") return [];
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, MOST_VALUES) : [value];
  return list
    .filter((each) => each !== null && each !== undefined)
    .map((each) => (typeof each === "string" ? each : JSON.stringify(each)).slice(0, MAX_VALUE).toWellFormed());
}
