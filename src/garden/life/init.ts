import { basename } from "node:path";
import { crashPoint } from "../../base/crash-point.ts";
import { Failure } from "../../base/failure.ts";
import type { Language } from "../../base/text.ts";
import type { World } from "../../base/world.ts";
import { firstGardenConfig, withGardenStore } from "../../domain/config/garden-config-text.ts";
import { repoSettings } from "../../domain/config/repo-settings.ts";
import { type StoreConfig, storeName } from "../../domain/config/store-config.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { MAIN_REF, machine, tree } from "../../domain/layout.ts";
import type { LinkFormat } from "../../domain/note/link-target.ts";
import { isNotePath } from "../../domain/note/note-path.ts";
import type { Signature } from "../../ports/repo.ts";
import type { RepoRemote } from "../../ports/repo-health.ts";
import type { LeftOut } from "../../ports/repos.ts";
import { type GardenPorts, personSignature, prepareMachineFolder } from "../core/garden.ts";
import { gitBusy } from "../core/git-busy.ts";
import { newNoteFolderAt, vaultSettingsAt } from "../records/notes/vault-settings-at.ts";
import { chooseNotesRoot } from "./choose-notes-root.ts";
import { claimStore, expectFreeStore, KEEP_PLAN } from "./init-claim.ts";
import { alreadyGarden, type InitPlan, type InitSurvey, surveyForInit } from "./init-survey.ts";
import { chooseAgentsRoot } from "./move-agents.ts";
import { refuseOtherWishes } from "./other-wishes.ts";

export interface InitWishes {
  readonly name?: string;
  readonly language: Language;
  readonly notesRoot?: string;
  /** The address of an empty repository that every machine will push to (`repo.remote`). */
  readonly remote?: string;
  /** Where the objects will be; the default is the folder of the garden. A bucket is tested before anything is created. */
  readonly store?: StoreConfig;
  /** Allow a folder inside another repository, which must then ignore it. */
  readonly nested?: true;
  readonly progress?: (done: number, total: number) => void;
}

export interface Initialised {
  readonly dir: string;
  readonly notesRoot: string;
  readonly head: Oid;
  /** An interrupted earlier call was completed. */
  readonly resumed: boolean;
  /** The folder had a git history: one commit was added. */
  readonly existing: boolean;
  readonly left: readonly LeftOut[];
  /** Number of notes in the first commit. */
  readonly notes: number;
  /** I-3: settings of Obsidian that the garden respects, if the folder is a vault of it. */
  readonly vault?: { readonly links: "wiki" | "markdown"; readonly linkFormat: LinkFormat; readonly newNotes: string };
  /** The place of the objects as a person names it: `dir`, or `s3://…`. */
  readonly store: string;
  /** The state of the remote after the first push. */
  readonly remote?: RepoRemote;
}

/**
 * Creates a garden in a new folder, a folder of notes, or a git repository on `main`. No existing file is changed. The plan is written
 * first (`.bloom/making.json`) and removed last: after a crash the same call completes the work; after a failure everything that this
 * call created is removed, except the plan if a bucket did not answer whether it holds the claim. Of two concurrent calls one is
 * refused, because each would complete or remove the work of the other.
 */
export async function initGarden(ground: GardenPorts, dir: string, wishes: InitWishes): Promise<Initialised> {
  const { folder } = await surveyForInit(ground, dir, wishes); // refuses before anything is written
  let undo: (() => Promise<unknown>)[] = [];
  let hold: { release(): void } | undefined;
  try {
    if ((await folder.makeFolder("")) === "made") undo.push(() => folder.removeEmpty(""));
    if ((await prepareMachineFolder(folder)) === "made") undo.push(() => folder.removeAll(machine.folder));
    else if ((await folder.stat(machine.lock)).kind === "missing") undo.push(() => folder.removeFile(machine.lock));
    hold = await folder.hold(machine.lock);
    const own = undo;
    undo = []; // the files may belong to another call: running, just ended, or killed
    if (!hold) throw atWork(dir);
    const survey = await surveyForInit(ground, dir, wishes);
    if (!survey.begun) undo = own;
    return await makeGarden(ground, survey, wishes, undo);
  } catch (error) {
    for (const step of undo.toReversed()) if ((await step().catch(() => undefined)) === KEEP_PLAN) break;
    throw error;
  } finally {
    hold?.release();
  }
}

async function makeGarden(
  ground: GardenPorts,
  survey: InitSurvey,
  wishes: InitWishes,
  undo: (() => Promise<unknown>)[],
): Promise<Initialised> {
  const { dir } = survey.folder;
  if (survey.begun) refuseOtherWishes(survey.begun, wishes);
  const plan = survey.begun ?? (await makePlan(survey, ground, wishes));
  if (plan.claim && !survey.begun) await expectFreeStore(ground, dir, plan, plan.claim.store);
  // A resumed init removes nothing: the next call continues from there.
  const mine = survey.begun ? [] : undo;
  await begin(survey, plan, mine);
  if (plan.claim) await claimStore(ground, dir, plan, plan.claim, mine);
  const signature = await personSignature({ repos: ground.repos, dir, world: ground.world });
  const made = plan.everything
    ? await commitFolder(ground, survey, plan, signature, mine, wishes.progress)
    : await commitConfigOnly(ground, survey, plan, signature);
  await survey.folder.removeFile(machine.making);
  return {
    dir,
    notesRoot: plan.notesRoot,
    head: made.head,
    resumed: survey.begun !== undefined,
    existing: !plan.everything,
    left: made.left,
    store: storeName(plan.claim?.store ?? { kind: "directory" }),
    ...(await lookBack(ground, dir, made.head, plan)),
  };
}

/** Counts the notes of the garden, and gives it to the remote. A remote that does not answer gets it from `bloom up`. */
async function lookBack(
  ground: GardenPorts,
  dir: string,
  head: Oid,
  plan: InitPlan,
): Promise<Pick<Initialised, "notes" | "remote" | "vault">> {
  const repo = await ground.repos.open(
    dir,
    plan.remote === undefined ? undefined : repoSettings.parse({ remote: plan.remote }),
  );
  try {
    const files = await repo.list(head, "");
    const roots = { notes_root: plan.notesRoot, agents_root: plan.agentsRoot };
    const { remote } = await repo.health();
    const settings = await vaultSettingsAt({ repo, config: roots }, head);
    const vault = settings && {
      links: settings.useMarkdownLinks ? ("markdown" as const) : ("wiki" as const),
      linkFormat: settings.newLinkFormat,
      newNotes: await newNoteFolderAt({ repo, config: roots }, head),
    };
    const notes = files.filter(({ path }) => isNotePath(path, roots)).length;
    return { notes, ...(vault && { vault }), ...(remote && { remote }) };
  } finally {
    await repo.close();
  }
}

async function makePlan(survey: InitSurvey, { world }: GardenPorts, wishes: InitWishes): Promise<InitPlan> {
  const agentsRoot = await chooseAgentsRoot(survey.folder, wishes.notesRoot ?? ".");
  const notesRoot = wishes.notesRoot ?? (await chooseNotesRoot(survey.folder, agentsRoot));
  const name =
    wishes.name ??
    (basename(survey.folder.dir)
      .replaceAll(/[\u0000-\u001f\u007f]/g, " ")
      .trim()
      .slice(0, 200) ||
      "garden");
  return {
    everything: survey.everything,
    config: withGardenStore(
      firstGardenConfig({ name, language: wishes.language, notesRoot, agentsRoot, remote: wishes.remote }),
      wishes.store ?? { kind: "directory" },
    ),
    ...(wishes.remote !== undefined && { remote: wishes.remote }),
    ...(wishes.store && wishes.store.kind !== "directory" && { claim: { store: wishes.store, id: claimId(world) } }),
    notesRoot,
    agentsRoot,
  };
}

const claimId = (world: World): string => Buffer.from(world.random(16)).toString("hex");

/** Writes the plan and creates the folders. Nothing here is under git. */
async function begin({ folder, begun }: InitSurvey, plan: InitPlan, undo: (() => Promise<unknown>)[]): Promise<void> {
  undo.push(() => folder.removeFile(machine.making));
  if (!begun) await folder.create(machine.making, Buffer.from(`${JSON.stringify(plan)}\n`));
  crashPoint("init:planned");
  for (const path of [plan.notesRoot, plan.agentsRoot, tree.memory, tree.logic]) {
    if (path !== "." && (await folder.makeFolder(path)) === "made") undo.push(() => folder.removeEmpty(path));
  }
  crashPoint("init:folders");
}

interface Made {
  readonly head: Oid;
  readonly left: readonly LeftOut[];
}

/** A folder without history: the first commit includes every file that is not ignored. */
async function commitFolder(
  ground: GardenPorts,
  survey: InitSurvey,
  plan: InitPlan,
  signature: Signature,
  undo: (() => Promise<unknown>)[],
  progress: InitWishes["progress"],
): Promise<Made> {
  const { folder } = survey;
  if (survey.head) return commitConfigOnly(ground, survey, plan, signature); // killed after the commit
  if (!survey.repository) {
    await ground.repos.init(folder.dir);
    undo.push(() => folder.removeAll(".git"));
  }
  crashPoint("init:repository");
  if ((await folder.create(tree.config, Buffer.from(plan.config))) === "created") {
    undo.push(() => folder.removeFile(tree.config));
  }
  crashPoint("init:config");
  return ground.repos.commitEverything(
    folder.dir,
    { author: signature, committer: signature, message: "Begin a garden" },
    progress,
  );
}

/** A repository with the person's own history: one commit that adds one file. */
async function commitConfigOnly(
  ground: GardenPorts,
  survey: InitSurvey,
  plan: InitPlan,
  signature: Signature,
): Promise<Made> {
  const { folder } = survey;
  const repo = await ground.repos.open(folder.dir);
  try {
    const head = await repo.resolve(MAIN_REF);
    if (head && (await repo.read(head, tree.config))) {
      if (!survey.begun) throw alreadyGarden(folder.dir); // in the history, removed from the folder
      return { head, left: [] };
    }
    const commit = await repo.build({
      parents: head ? [head] : [],
      edits: [{ path: tree.config, bytes: Buffer.from(plan.config) }],
      author: signature,
      committer: signature,
      message: "Make this repository a garden",
    });
    crashPoint("init:built");
    const moved = await repo.move([{ ref: MAIN_REF, from: head, to: commit }]);
    crashPoint("init:moved");
    if (moved.kind === "moved") return { head: commit, left: moved.followed.behind };
    if (moved.kind === "busy") throw gitBusy(moved.why);
    throw moved.kind === "stale" ? mainMoved() : configUncommitted();
  } finally {
    await repo.close();
  }
}

const atWork = (dir: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `another bloom process is working in ${dir}`,
    uk: `у ${dir} працює інший bloom`,
    hint: {
      en: "Wait until it is done; `bloom status` shows the garden then.",
      uk: "Зачекайте, доки він завершить; тоді `bloom status` покаже сад.",
    },
    details: { dir },
  });

const mainMoved = (): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: "main moved while the garden was being created",
    uk: "гілка main змінилася під час створення саду",
    hint: { en: "Run `bloom init` again.", uk: "Виконайте `bloom init` ще раз." },
  });

const configUncommitted = (): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${tree.config} is in the folder but not committed`,
    uk: `${tree.config} є в теці, але не закомічено`,
    hint: {
      en: `Commit it (\`git add ${tree.config} && git commit\`) or remove it, then run \`bloom init\` again.`,
      uk: `Закомітьте його (\`git add ${tree.config} && git commit\`) або приберіть і виконайте \`bloom init\` ще раз.`,
    },
  });
