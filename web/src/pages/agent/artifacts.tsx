import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { AnswerOf } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { Markdown } from "../../components/markdown.tsx";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

type Artifact = AnswerOf<"GET /agents/:slug/artifacts/:path">;

/** The files of an agent, with a preview of one (U-1a). */
export function Artifacts({ slug }: { readonly slug: string }) {
  const t = useT();
  const list = useQuery(query("GET /agents/:slug/artifacts", { params: { slug } }));
  const { file } = useSearch({ strict: false }) as { file?: string };
  return (
    <QueryResult of={list}>
      {({ artifacts }) =>
        artifacts.length === 0 ? (
          <Empty>{t(words.none)}</Empty>
        ) : (
          <div className="artifacts">
            <ul className="plain-list stack tight" aria-label={t(words.files)}>
              {artifacts.map(({ name, size }) => (
                <li key={name} className="row between">
                  <Link
                    to="/agents/$slug"
                    params={{ slug }}
                    search={{ tab: "artifacts", file: name }}
                    aria-current={name === file ? "true" : undefined}
                    className="break"
                  >
                    {name}
                  </Link>
                  <span className="quiet small">{sizeOf(size)}</span>
                </li>
              ))}
            </ul>
            {file === undefined ? <p className="quiet">{t(words.choose)}</p> : <ArtifactView slug={slug} name={file} />}
          </div>
        )
      }
    </QueryResult>
  );
}

function ArtifactView({ slug, name }: { readonly slug: string; readonly name: string }) {
  const artifact = useQuery(query("GET /agents/:slug/artifacts/:path", { params: { slug, path: name } }));
  return (
    <section className="stack tight" aria-labelledby="artifact">
      <h2 id="artifact" className="break">
        {name}
      </h2>
      <QueryResult of={artifact}>{(seen) => <ArtifactContent artifact={seen} />}</QueryResult>
    </section>
  );
}

/** Shows text and pictures without running anything in them. Other files can only be downloaded. */
function ArtifactContent({ artifact }: { readonly artifact: Artifact }) {
  const t = useT();
  const [isSource, setIsSource] = useState(false);
  const url = useObjectUrl(artifact);
  const { kind, name, text, hash, media, size } = artifact;
  const isDrawing = kind === "text" && /\.svg$/i.test(name);
  return (
    <>
      <p className="row quiet small">
        <span>
          {media} · {sizeOf(size)} · <code>{hash.slice(0, 10)}</code>
        </span>
        {(kind === "markdown" || isDrawing) && (
          <Button aria-pressed={isSource} onClick={() => setIsSource(!isSource)}>
            {t(words.source)}
          </Button>
        )}
        {url !== undefined && (
          <a className="button" href={url} download={name.split("/").at(-1)}>
            {t(words.save)}
          </a>
        )}
      </p>
      {kind === "image" || (isDrawing && !isSource) ? (
        url !== undefined && <img className="card artifact-image" src={url} alt={name} />
      ) : kind === "markdown" && !isSource ? (
        <div className="card">
          <Markdown text={text ?? ""} />
        </div>
      ) : text === undefined ? (
        <Empty>{t(words.bytes)}</Empty>
      ) : (
        <pre className="card artifact-text">{kind === "json" ? indentedJson(text) : text}</pre>
      )}
    </>
  );
}

/** An object URL for the bytes. An SVG is only used in `<img>`, where its scripts do not run. */
function useObjectUrl({ text, base64, media, name }: Artifact): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const bytes =
      text === undefined
        ? Uint8Array.from(atob(base64 ?? ""), (char) => char.codePointAt(0)!)
        : new TextEncoder().encode(text);
    const type = text !== undefined && /\.svg$/i.test(name) ? "image/svg+xml" : media;
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text, base64, media, name]);
  return url;
}

function indentedJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

const sizeOf = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${(bytes / 1000).toFixed(1)} KB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`;

const words = {
  none: {
    en: "No files yet. Files that the agent proposes appear here once they are approved.",
    uk: "Він ще не лишив файлів. Запропоновані ним лежатимуть тут, щойно їх буде схвалено.",
  },
  files: { en: "Files", uk: "Файли агента" },
  choose: { en: "Select a file to view it.", uk: "Виберіть файл, щоб його переглянути." },
  source: { en: "Source", uk: "Як написано" },
  save: { en: "Download", uk: "Зберегти" },
  bytes: {
    en: "This file cannot be shown. You can download it.",
    uk: "Це не текст і не зображення; його можна зберегти.",
  },
} as const satisfies Record<string, Text>;
