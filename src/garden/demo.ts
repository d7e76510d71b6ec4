import { Failure } from "../base/failure.ts";
import type { Language } from "../base/text.ts";
import { commandLineOwner } from "../domain/identity.ts";
import { tree } from "../domain/layout.ts";
import type { Folder } from "../ports/folder.ts";
import { createAgent } from "./agents/create-agent.ts";
import { demoProposals } from "./demo-proposals.ts";
import { closeGarden, type Ground, openGarden } from "./garden.ts";
import { receive } from "./inbox/receive.ts";
import { initGarden } from "./init.ts";
import { siblingFolder } from "./sibling-folder.ts";

const MAX_NOTE_BYTES = 1024 * 1024;
const NOTES = "demo/";
const AGENT = { folder: "archivist", slug: "archivist-violin" };
/** The demo is looked at again weeks later, and should still have something to decide. */
const WAITS_HOURS = 366 * 24;

/**
 * Makes the demo garden in a folder, unless it is there: notes, an agent as a draft, and proposals that wait. It is made
 * aside and takes its name at the end, whole; what is decided in it afterwards stays decided.
 */
export async function makeDemo(
  ground: Ground,
  examples: Folder,
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
    for await (const { path } of examples.walk(NOTES.slice(0, -1))) {
      await aside.create(path.slice(NOTES.length), (await examples.read(path, MAX_NOTE_BYTES))!);
    }
    const name = language === "uk" ? "Сад на Липовій" : "The Garden on Lypova Street";
    await initGarden(ground, aside.dir, { language, name, nested: true });
    await plant(ground, ground.folders.at(`${examples.dir}/${AGENT.folder}`), aside.dir, language);
    await ground.folders.moveIntoPlace(aside.dir, dir);
  } finally {
    await aside.removeAll("");
  }
  return "made";
}

/** What only the verbs of a garden may put there. */
async function plant(ground: Ground, agent: Folder, dir: string, language: Language): Promise<void> {
  const garden = await openGarden(ground, dir);
  try {
    await createAgent(garden, {
      slug: AGENT.slug,
      by: commandLineOwner,
      language,
      from: { kind: "folder", folder: agent },
    });
    for (const wish of demoProposals[language]) {
      const received = await receive(garden, { ...wish, identity: commandLineOwner, ttl_hours: WAITS_HOURS });
      if (received.kind === "refused") throw received.failure;
    }
  } finally {
    await closeGarden(garden);
  }
}
