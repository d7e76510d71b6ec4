import { Failure } from "../base/failure.ts";
import type { Language } from "../base/text.ts";
import { tree } from "../domain/layout.ts";
import type { Folder } from "../ports/folder.ts";
import type { Ground } from "./garden.ts";
import { initGarden } from "./init.ts";
import { siblingFolder } from "./sibling-folder.ts";

const MAX_NOTE_BYTES = 1024 * 1024;

/** Makes the demo garden in a folder, unless it is there. It is made aside and takes its name at the end, whole. */
export async function makeDemo(
  ground: Ground,
  source: Folder,
  dir: string,
  language: Language,
): Promise<"made" | "there"> {
  const target = ground.folders.at(dir);
  if ((await target.look(tree.config)).kind === "file") return "there";
  if ((await target.names("")).length > 0) {
    throw new Failure(
      "DUPLICATE_ENTRY",
      { en: `${dir} is not empty and is not a garden`, uk: `${dir} не порожня і не є садом` },
      { hint: { en: "Name another folder.", uk: "Вкажіть іншу теку." } },
    );
  }
  const aside = await siblingFolder(ground, dir, "making");
  try {
    await aside.makeFolder("");
    for await (const { path } of source.walk("")) {
      await aside.create(path, (await source.read(path, MAX_NOTE_BYTES))!);
    }
    const name = language === "uk" ? "Сад на Липовій" : "The Garden on Lypova Street";
    await initGarden(ground, aside.dir, { language, name, nested: true });
    await ground.folders.moveIntoPlace(aside.dir, dir);
  } finally {
    await aside.removeAll("");
  }
  return "made";
}
