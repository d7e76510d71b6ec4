import { type Text, verbatim } from "../../base/text.ts";
import { listArtifacts, readArtifact } from "../../garden/agents/artifacts.ts";
import type { Garden } from "../../garden/core/garden.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { textOption } from "../options.ts";
import { printable } from "../printable.ts";
import { alignColumns, inBothLanguages } from "../text-layout.ts";

/** Lists the files of an agent, or prints one. */
export async function showArtifacts(context: CommandContext, garden: Garden, slug: string): Promise<CommandReport> {
  const file = textOption(context, "file");
  if (file !== undefined) {
    const found = await readArtifact(garden.store, slug, file);
    const about = {
      en: `${file} is not text (${found.media}, ${found.size} bytes); --json gives its bytes as base64.`,
      uk: `${file} — не текст (${found.media}, байтів: ${found.size}); --json дає байти як base64.`,
    };
    return { text: found.text === undefined ? about : verbatim(printable(found.text)), json: found, asked: true };
  }
  const artifacts = await listArtifacts(garden.store, slug);
  const none = { en: `${slug} has no files yet.`, uk: `${slug} ще не лишив файлів.` };
  const text = inBothLanguages((language) =>
    alignColumns([
      [FILE[language], BYTES[language]],
      ...artifacts.map(({ name, size }) => [printable(name), String(size)]),
    ]).join("\n"),
  );
  return { text: artifacts.length === 0 ? none : text, json: { artifacts }, asked: true };
}

const FILE: Text = { en: "file", uk: "файл" };
const BYTES: Text = { en: "bytes", uk: "байтів" };
