import { artifactKey } from "../../domain/proposal/operation.ts";
import { everyKey, type Store } from "../../ports/store.ts";
import { textOf } from "../changes/effect/note-target.ts";
import { readAgent } from "../records/agents/read-agent.ts";
import { noArtifact } from "./failures.ts";

/** A file of an agent, created by an approved proposal. */
export interface ArtifactRow {
  readonly name: string;
  readonly size: number;
}

/** An artifact with its content. `kind` is derived from the bytes, never from the name alone. */
export interface Artifact extends ArtifactRow {
  readonly hash: string;
  readonly kind: "text" | "markdown" | "json" | "image" | "bytes";
  readonly media: string;
  /** For text, Markdown and JSON. */
  readonly text?: string;
  /** For everything else. */
  readonly base64?: string;
}

/** In order of their names. */
export async function listArtifacts(store: Store, slug: string): Promise<readonly ArtifactRow[]> {
  await readAgent(store, slug);
  const prefix = `agents/${slug}/artifacts/`;
  const found: ArtifactRow[] = [];
  for await (const { key, size } of everyKey(store, prefix)) found.push({ name: key.slice(prefix.length), size });
  return found;
}

export async function readArtifact(store: Store, slug: string, name: string): Promise<Artifact> {
  const stored = await store.get(artifactKey(slug, name));
  if (!stored) throw noArtifact(slug, name);
  const { bytes, hash } = stored;
  const about = { name, size: bytes.length, hash };
  const picture = pictureIn(bytes);
  if (picture) return { ...about, kind: "image", media: picture, base64: Buffer.from(bytes).toString("base64") };
  const text = textOf(bytes);
  if (text === undefined)
    return {
      ...about,
      kind: "bytes",
      media: "application/octet-stream",
      base64: Buffer.from(bytes).toString("base64"),
    };
  if (/\.(?:md|markdown)$/i.test(name)) return { ...about, kind: "markdown", media: "text/markdown", text };
  if (isJson(text)) return { ...about, kind: "json", media: "application/json", text };
  return { ...about, kind: "text", media: "text/plain", text };
}

/** Magic numbers of images. SVG counts as text, because it may contain scripts. */
const PICTURES: readonly (readonly [media: string, begins: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[\s\S]{4}WEBP/],
];

function pictureIn(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  return PICTURES.find(([, begins]) => begins.test(head))?.[0];
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
