import { asFailure, type Failure } from "../../../base/failure.ts";
import { joined, type Text } from "../../../base/text.ts";
import { expectConfig } from "../../../domain/config/failures.ts";
import { machine, tree } from "../../../domain/layout.ts";
import { problemText } from "../../../domain/text/checked-yaml.ts";
import type { FoundGarden } from "../../core/garden.ts";
import { type Check, mainOf } from "./check.ts";

export const configCheck: Check = {
  id: "config",
  rule: "G-7",
  title: { en: `${tree.config} is valid`, uk: `${tree.config} правильний` },
  async *run({ config }) {
    if (config.kind === "problems") {
      for (const problem of config.problems) yield { where: tree.config, what: problemText(tree.config, problem) };
    } else if (config.kind !== "value") yield { where: tree.config, what: formatText(config) };
  },
};

export const machineFolderCheck: Check = {
  id: "machine-folder",
  rule: "G-1",
  title: { en: `${machine.folder} is hidden from git`, uk: `${machine.folder} прихована від git` },
  async *run({ folder, repo }) {
    const ignore = await folder.read(machine.ignore, 1 << 16).catch(() => undefined);
    const hides = ignore && Buffer.from(ignore).toString().split(/\r?\n/).includes("*");
    if (!hides) {
      yield {
        where: machine.ignore,
        what: {
          en: "this file must hold a line with a single `*`, so that git passes over the machine's folder",
          uk: "у цьому файлі має бути рядок із самою `*`, щоб git оминав теку програми",
        },
      };
    }
    if ((await folder.stat(machine.making)).kind !== "missing") {
      yield {
        where: machine.making,
        what: {
          en: "`bloom init` was interrupted: run it again",
          uk: "`bloom init` було перервано: виконайте його ще раз",
        },
      };
    }
    const tracked = await committedIn(repo, machine.folder);
    if (tracked[0]) {
      yield {
        where: tracked[0].path,
        what: {
          en: `${tracked.length} file(s) of the machine's folder are under git: \`git rm -r --cached ${machine.folder}\``,
          uk: `файлів із теки програми під git: ${tracked.length}; приберіть їх: \`git rm -r --cached ${machine.folder}\``,
        },
      };
    }
  },
};

export const foldersCheck: Check = {
  id: "folders",
  rule: "G-1",
  title: { en: "the garden's folders are there", uk: "теки саду на місці" },
  async *run(garden) {
    for (const path of new Set([notesRootOf(garden), tree.memory, tree.logic])) {
      const { kind } = path === "." ? await garden.folder.stat("") : await garden.folder.stat(path);
      // Git does not keep empty folders: in a fresh clone they may be missing.
      if (
        kind === "folder" ||
        path === "." ||
        (kind === "missing" && (await committedIn(garden.repo, path)).length === 0)
      )
        continue;
      yield {
        where: path,
        what:
          kind === "missing"
            ? {
                en: "this folder is missing, but the history has files in it",
                uk: "цієї теки немає, а в історії в ній є файли",
              }
            : { en: "this must be a folder, but is not", uk: "тут має бути тека, а це не вона" },
      };
    }
  },
};

async function committedIn(repo: FoundGarden["repo"], folder: string): Promise<readonly { readonly path: string }[]> {
  const main = await mainOf({ repo });
  return main ? await main.repo.list(main.head, folder).catch(() => []) : [];
}

const notesRootOf = ({ config }: FoundGarden): string =>
  config.kind === "value" ? config.value.notes_root : tree.notes;

function formatText(config: FoundGarden["config"]): Text {
  try {
    expectConfig(config);
  } catch (error) {
    return withHint(asFailure(error));
  }
  return { en: "", uk: "" };
}

const withHint = ({ text, hint }: Failure): Text => (hint ? joined([text, hint], ". ") : text);
