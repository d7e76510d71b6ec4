import { verbatim } from "../../base/text.ts";
import { listArtifacts, readArtifact } from "../../garden/agents/artifacts.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { type Context, type Report, textOption } from "../command.ts";
import { printable } from "../printable.ts";
import { table } from "./agent-words.ts";

/** Files that an agent left: all of them, or what is in one. */
export async function tellArtifacts(context: Context, garden: Garden, slug: string): Promise<Report> {
  const file = textOption(context, "file");
  if (file !== undefined) {
    const found = await readArtifact(garden.store, slug, file);
    const about = {
      en: `${file} is not a text (${found.media}, ${found.size} bytes); --json gives its bytes as base64.`,
      uk: `${file} — не текст (${found.media}, байтів: ${found.size}); --json дає байти як base64.`,
    };
    return { text: found.text === undefined ? about : verbatim(printable(found.text)), json: found, asked: true };
  }
  const artifacts = await listArtifacts(garden.store, slug);
  const none = { en: `${slug} has left no files yet.`, uk: `${slug} ще не лишив файлів.` };
  const text = table(
    [
      { en: "file", uk: "файл" },
      { en: "bytes", uk: "байтів" },
    ],
    artifacts.map(({ name, size }) => [name, String(size)]),
  );
  return { text: artifacts.length === 0 ? none : text, json: { artifacts }, asked: true };
}
