import { basename } from "node:path";
import { Failure } from "../../base/failure.ts";
import { exportSkill } from "../../garden/agents/import/export-skill.ts";
import { example } from "../options.ts";
import { gardenCommand } from "../subcommands.ts";

export const exportCommand = gardenCommand({
  name: "export",
  summary: { en: "take out what other products can load", uk: "винести те, що завантажать інші продукти" },
  subcommands: {
    skill: {
      usage: "AGENT [DIR]",
      words: [1, 2],
      does: {
        en: "write a skill folder (SKILL.md, diagrams) into DIR",
        uk: "записати теку навички (SKILL.md, діаграми) у DIR",
      },
      run: async (context, garden, [slug, into = "."]) => {
        const { name, files } = await exportSkill(garden, slug!);
        const folder = context.ground.folders.at(context.path(into));
        if ((await folder.stat(name)).kind !== "missing") throw folderThere(name);
        for (const [path, bytes] of files) await folder.write(`${name}/${path}`, [bytes]);
        const paths = [...files.keys()].toSorted();
        const at = `${into === "." ? "" : `${into}/`}${name}`;
        return {
          text: {
            en: `Exported ${slug} to ${at}/, files: ${paths.length}. Copy the folder into .claude/skills/ or .agents/skills/.`,
            uk: `Експортовано ${slug} у ${at}/, файлів: ${paths.length}. Скопіюйте теку в .claude/skills/ або .agents/skills/.`,
          },
          json: { slug, folder: at, name: basename(name), files: paths },
        };
      },
    },
  },
  options: {},
  examples: [
    example("bloom export skill gardener .claude/skills", "a skill for Claude Code", "навичка для Claude Code"),
  ],
});

const folderThere = (name: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `${name} is already there`,
    uk: `${name} там уже є`,
    hint: { en: "Name another folder, or remove it first.", uk: "Назвіть іншу теку або спершу приберіть цю." },
  });
