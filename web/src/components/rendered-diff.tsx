import { lazy, Suspense } from "react";
import type { AnswerOf } from "../api/client.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import type { LinkOf } from "./obsidian-markdown.ts";
import { Loading } from "./query-result.tsx";

/** Loaded on demand: rendering notes is large. */
const Markdown = lazy(() => import("./markdown.tsx").then((part) => ({ default: part.Markdown })));

type FileSides = AnswerOf<"GET /proposals/:id/file">;
type FileSide = NonNullable<FileSides["before"]>;

/** A file before and after the change, as a reader sees it: a note rendered, a picture as a picture. */
export function RenderedDiff(props: { readonly path: string; readonly sides: FileSides; readonly linkOf: LinkOf }) {
  const { path, sides, linkOf } = props;
  const t = useT();
  return (
    <div className="rendered">
      {(["before", "after"] as const).map((name) => (
        <figure key={name} className={name}>
          <figcaption>{t(words[name])}</figcaption>
          {sides[name] ? (
            <Side path={path} side={sides[name]} label={t(words[name])} linkOf={linkOf} />
          ) : (
            <p className="quiet">{t(words.none)}</p>
          )}
        </figure>
      ))}
    </div>
  );
}

function Side(props: {
  readonly path: string;
  readonly side: FileSide;
  readonly label: string;
  readonly linkOf: LinkOf;
}) {
  const { path, side, label, linkOf } = props;
  const t = useT();
  const picture = pictureOf(path, side);
  if (picture !== undefined) return <img className="picture-side" src={picture} alt={label} />;
  if (side.kind === "bytes") return <p className="quiet">{t(words.unreadable)}</p>;
  if (!/\.(?:md|markdown)$/i.test(path)) return <pre className="plain-side">{side.text}</pre>;
  return (
    <Suspense fallback={<Loading />}>
      <Markdown text={side.text} linkOf={linkOf} />
    </Suspense>
  );
}

const TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
};

/** True if both sides of the file are shown as pictures. */
export const isPicture = (path: string): boolean => typeOf(path) !== undefined;

const typeOf = (path: string): string | undefined => TYPES[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""];

/** The address of a picture. An image element executes no script of an SVG. */
function pictureOf(path: string, side: FileSide): string | undefined {
  const type = typeOf(path);
  if (type === undefined) return undefined;
  return side.kind === "bytes"
    ? `data:${type};base64,${side.base64}`
    : `data:${type};charset=utf-8,${encodeURIComponent(side.text)}`;
}

const words = {
  before: { en: "Before", uk: "До" },
  after: { en: "After", uk: "Після" },
  none: { en: "No file", uk: "Файлу немає" },
  unreadable: { en: "Not text: it cannot be shown here.", uk: "Це не текст, тут його не показати." },
} as const satisfies Record<string, Text>;
