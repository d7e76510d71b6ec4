import { AtSign, CalendarDays, CheckSquare, Hash, Link2, type LucideIcon, Tag, TextInitial } from "lucide-react";
import type { AnswerOf } from "../../api/client.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { plainWords } from "./note-links.ts";
import { TagLink } from "./tag-link.tsx";

type Note = AnswerOf<"GET /notes/:path">;

/** The properties and tags of a note, as Obsidian shows them above the text. */
export function Properties({ of: { properties, tags } }: { readonly of: Pick<Note, "properties" | "tags"> }) {
  const t = useT();
  if (properties.length === 0 && tags.length === 0) return null;
  return (
    <dl className="properties" aria-label={t(words.properties)}>
      {tags.length > 0 && (
        <div>
          <dt>
            <Tag size={14} aria-hidden="true" />
            {t(words.tags)}
          </dt>
          <dd>
            {tags.map((tag) => (
              <TagLink key={tag} tag={tag} />
            ))}
          </dd>
        </div>
      )}
      {properties.map(({ name, values }) => {
        const Icon = iconOf(name, values);
        return (
          <div key={name}>
            <dt>
              <Icon size={14} aria-hidden="true" />
              <span className="cut">{name}</span>
            </dt>
            <dd>{values.map(plainWords).join(", ")}</dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Obsidian shows the type of a property by an icon; here it is read from the values. */
function iconOf(name: string, values: readonly string[]): LucideIcon {
  if (/^alias(?:es)?$/i.test(name)) return AtSign;
  const isEach = (pattern: RegExp): boolean => values.length > 0 && values.every((value) => pattern.test(value));
  if (isEach(/^\d{4}-\d{2}-\d{2}/)) return CalendarDays;
  if (isEach(/^(?:true|false)$/)) return CheckSquare;
  if (isEach(/^-?\d+(?:\.\d+)?$/)) return Hash;
  return isEach(/^\[\[.*\]\]$/) ? Link2 : TextInitial;
}

const words = {
  properties: { en: "Properties", uk: "Властивості" },
  tags: { en: "tags", uk: "теги" },
} as const satisfies Record<string, Text>;
