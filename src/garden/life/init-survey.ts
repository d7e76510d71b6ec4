import { basename, dirname, join } from "node:path";
import { Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import type { StoreConfig } from "../../domain/config/store-config.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { MAIN_BRANCH, machine, tree } from "../../domain/layout.ts";
import type { Folder } from "../../ports/folder.ts";
import type { RepoSituation } from "../../ports/repos.ts";
import type { GardenPorts } from "../core/garden.ts";
import { refuseLinkedWorkTree } from "../core/garden.ts";

/** The state of a folder in which a garden can be created. Every obstacle is refused before anything is written. */
export interface InitSurvey {
  readonly folder: Folder;
  /** There is no repository yet, or one of an interrupted init: the first commit includes every file. */
  readonly everything: boolean;
  readonly repository: boolean;
  readonly head: Oid | undefined;
  /** The plan of an interrupted init. */
  readonly begun: InitPlan | undefined;
}

export interface InitPlan {
  readonly everything: boolean;
  /** The text of garden.yaml. */
  readonly config: string;
  readonly notesRoot: string;
  readonly agentsRoot: string;
  readonly remote?: string;
  /** The place of the objects outside of the folder, and the id under which this `init` takes it. */
  readonly claim?: { readonly store: StoreConfig; readonly id: string };
}

export async function surveyForInit(
  ground: GardenPorts,
  dir: string,
  { notesRoot = tree.notes, nested }: { readonly notesRoot?: string; readonly nested?: true },
): Promise<InitSurvey> {
  const folder = ground.folders.at(dir);
  const top = await folder.stat("");
  if (top.kind === "file" || top.kind === "other") throw notAFolder(dir);
  const situation = await situationOf(ground, dir, top.kind === "missing");
  if (!(nested && situation.kind === "inside")) refuseSituation(situation, dir);
  const begun = await begunPlan(folder);
  if (!begun && (await folder.stat(tree.config)).kind !== "missing") throw alreadyGarden(dir);
  await refuseInTheWay(folder, begun?.notesRoot ?? notesRoot);
  const repository = situation.kind === "repository";
  return {
    folder,
    everything: begun?.everything ?? !repository,
    repository,
    head: repository ? situation.head : undefined,
    begun,
  };
}

/** A missing folder may still be inside an existing repository. */
async function situationOf(ground: GardenPorts, dir: string, missing: boolean): Promise<RepoSituation> {
  if (!missing) {
    await refuseLinkedWorkTree(ground, dir);
    return ground.repos.look(dir);
  }
  let up = dirname(dir);
  while (up !== dirname(up) && (await ground.folders.at(up).stat("")).kind === "missing") up = dirname(up);
  const nearest = (await ground.folders.at(up).stat("")).kind;
  if (nearest === "file" || nearest === "other") throw notAFolder(up);
  const around = await ground.repos.look(up);
  return around.kind === "repository"
    ? { kind: "inside", top: up }
    : around.kind === "inside"
      ? around
      : { kind: "none" };
}

function refuseSituation(situation: RepoSituation, dir: string): void {
  switch (situation.kind) {
    case "none":
      return;
    case "inside": {
      const beside = join(dirname(situation.top), basename(dir));
      throw refusal(
        {
          en: `${dir} lies inside another git repository (${situation.top})`,
          uk: `${dir} лежить усередині іншого репозиторію git (${situation.top})`,
        },
        {
          en: `Choose a folder outside of it: \`bloom init ${beside}\`. If that repository is your notes, choose its top folder.`,
          uk: `Виберіть теку поза ним: \`bloom init ${beside}\`. Якщо той репозиторій і є вашими нотатками, виберіть його верхню теку.`,
        },
      );
    }
    case "broken":
      throw refusal(
        { en: `the git repository in ${dir} cannot be used`, uk: `репозиторієм git у ${dir} не можна скористатися` },
        situation.why,
      );
    case "repository": {
      if (situation.underWay) {
        throw refusal(
          {
            en: `a ${situation.underWay} is under way in ${dir}`,
            uk: `у ${dir} триває незавершена дія git: ${situation.underWay}`,
          },
          {
            en: "Finish it or call it off (`git status` tells how), then try again.",
            uk: "Завершіть або скасуйте її (`git status` підкаже як) і повторіть.",
          },
        );
      }
      if (situation.branch === MAIN_BRANCH) return;
      const renamable = situation.branch ? ` / \`git branch -m ${situation.branch} ${MAIN_BRANCH}\`` : "";
      throw refusal(
        situation.branch
          ? {
              en: `branch ${situation.branch} is checked out; a garden lives on ${MAIN_BRANCH}`,
              uk: `поточна гілка — ${situation.branch}, а сад живе на ${MAIN_BRANCH}`,
            }
          : {
              en: `no branch is checked out (HEAD is detached); a garden lives on ${MAIN_BRANCH}`,
              uk: `жодної гілки не вибрано (HEAD від'єднано), а сад живе на ${MAIN_BRANCH}`,
            },
        {
          en: `Switch to it or name your branch so: \`git switch ${MAIN_BRANCH}\`${renamable}.`,
          uk: `Перейдіть на неї або перейменуйте свою гілку: \`git switch ${MAIN_BRANCH}\`${renamable}.`,
        },
      );
    }
  }
}

async function begunPlan(folder: Folder): Promise<InitPlan | undefined> {
  const bytes = await folder.read(machine.making, 1 << 20);
  if (!bytes) return undefined;
  try {
    const {
      everything,
      config,
      notesRoot,
      agentsRoot = tree.agents,
      remote,
      claim,
    } = JSON.parse(Buffer.from(bytes).toString()) as Partial<InitPlan>;
    if (typeof everything === "boolean" && typeof config === "string" && typeof notesRoot === "string")
      return {
        everything,
        config,
        notesRoot,
        agentsRoot,
        ...(remote !== undefined && { remote }),
        ...(claim && { claim }),
      };
  } catch {
    // reported below, like any other invalid plan
  }
  throw unreadablePlan(folder.dir);
}

async function refuseInTheWay(folder: Folder, notesRoot: string): Promise<void> {
  for (const path of new Set([machine.folder, tree.memory, tree.logic, notesRoot])) {
    if (path === ".") continue;
    const { kind } = await folder.stat(path);
    if (kind === "missing" || kind === "folder") continue;
    throw new Failure("DUPLICATE_ENTRY", {
      en: `${join(folder.dir, path)} is not a folder, and the garden needs one there`,
      uk: `${join(folder.dir, path)} — не тека, а саду там потрібна тека`,
      hint: { en: "Rename it or move it away, then try again.", uk: "Перейменуйте або перемістіть це і повторіть." },
      details: { path },
    });
  }
}

const refusal = (what: Text, hint: Text): Failure => new Failure("INVALID_TRANSITION", { ...what, hint });

const unreadablePlan = (dir: string): Failure =>
  refusal(
    {
      en: `\`bloom init\` in ${dir} was interrupted, and its plan is unreadable`,
      uk: `створення саду в ${dir} було перервано, а записаний намір не читається`,
    },
    {
      en: `Remove ${machine.making}, and ${tree.config} if you did not write it, then run \`bloom init\` again.`,
      uk: `Приберіть ${machine.making}, а також ${tree.config}, якщо його писали не ви, і виконайте \`bloom init\` ще раз.`,
    },
  );

const notAFolder = (dir: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `${dir} is not a folder`,
    uk: `${dir} — не тека`,
    hint: { en: "Choose another name.", uk: "Виберіть іншу назву." },
  });

export const alreadyGarden = (dir: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `there is a ${tree.config} in ${dir} already`,
    uk: `у ${dir} вже є ${tree.config}`,
    hint: {
      en: "If it is a garden, `bloom status` shows it; if not, rename that file first.",
      uk: "Якщо це сад, його покаже `bloom status`; якщо ні, спершу перейменуйте цей файл.",
    },
  });
