import { crashPoint } from "../../../base/crash-point.ts";
import { Failure, isLostAnswer } from "../../../base/failure.ts";
import { isSlug, isTakenName } from "../../../domain/contract/slug.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import { contractKey, logicFolder, MAIN_REF } from "../../../domain/layout.ts";
import { keyProblem } from "../../../domain/store-key.ts";
import { recordAudit } from "../../core/audit.ts";
import { createOrFind } from "../../core/flow/create-record.ts";
import type { Garden } from "../../core/garden.ts";
import { type Agent, readAgent } from "../../records/agents/read-agent.ts";
import { refreshRegistry } from "../../records/agents/registry.ts";
import { findLogic } from "../../records/logic/logic-state.ts";
import { secondsOf } from "./change-status.ts";
import { finishDeletion } from "./delete-agent.ts";
import { type FirstFiles, fromDiagram, fromFolder, fromProse, fromTemplate, type NewAgentWish } from "./first-files.ts";
import { adoptFirstLogic } from "./first-logic.ts";

type Ports = Pick<Garden, "store">;

/**
 * Makes an agent as a draft. Its other files come first and the contract last, and a folder without a contract is no agent
 * (C-1): after a crash there is a whole one or none, and doing it again completes it. A file that somebody else put there is
 * never overwritten. Then its logic becomes v001 (L-6); a crash before that leaves it to the activation.
 */
export async function createAgent(garden: Garden, wish: NewAgentWish): Promise<Agent> {
  const { slug, by } = wish;
  const { store } = garden;
  if (by.type !== "owner") throw onlyOwner(by);
  if (!isSlug(slug) || keyProblem(slug) !== undefined) throw notASlug(slug);
  if (isTakenName(slug)) throw takenName(slug);
  if (await store.get(contractKey(slug))) throw taken(slug);
  await finishDeletion(garden, slug);
  const files = await firstFiles(wish, secondsOf(garden.world.now()));
  await expectSameKind(garden, slug, files);
  for (const [key, bytes] of files.others) {
    const made = await store.create(key, bytes);
    if (made.kind === "taken" && !(await holds(garden, key, bytes))) await replaceDerived(garden, key, bytes);
    crashPoint("agent.create.file");
  }
  if (!(await createContract(garden, slug, Buffer.from(files.contract)))) throw taken(slug);
  crashPoint("agent.create.contract");
  const agent = await readAgent(store, slug);
  await recordAudit(garden, `${slug}-created-${agent.hash.slice(0, 8)}`, {
    kind: "agent-created",
    at: agent.contract.created_at,
    by: identityName(by),
    subject: slug,
    details: { from: wish.from.kind, version: agent.contract.version, hash: agent.hash },
  });
  await refreshRegistry(garden);
  await adoptFirstLogic(garden, slug, by);
  return await readAgent(store, slug);
}

/** An agent of that name was deleted, and its versions are in git: they go on, and cannot go on without a diagram. */
async function expectSameKind({ repo }: Garden, slug: string, files: FirstFiles): Promise<void> {
  const head = await repo.resolve(MAIN_REF);
  const state = head === undefined ? undefined : await findLogic(repo, head, slug);
  if (state?.diagram === undefined || files.others.size > 0) return;
  throw new Failure(
    "DUPLICATE_ENTRY",
    {
      en: `${logicFolder(slug)}/ holds versions of a former agent of that name, which had a diagram`,
      uk: `у ${logicFolder(slug)}/ лежать версії колишнього агента з цією назвою, який мав діаграму`,
    },
    {
      hint: {
        en: "Choose another name, or make it with a diagram: its logic will be the next version.",
        uk: "Оберіть іншу назву або створіть його з діаграмою: його логіка стане наступною версією.",
      },
      details: { agent: slug, version: state.meta.logicVersion },
    },
  );
}

function firstFiles(wish: NewAgentWish, at: string): Promise<FirstFiles> {
  const { from } = wish;
  switch (from.kind) {
    case "template":
      return Promise.resolve(fromTemplate(wish, at));
    case "prose":
      return Promise.resolve(fromProse(wish, at));
    case "diagram":
      return Promise.resolve(fromDiagram(wish, from, at));
    case "folder":
      return fromFolder(wish, from.folder, at);
  }
}

/** Whether this call made it. */
async function createContract({ store }: Ports, slug: string, bytes: Uint8Array): Promise<boolean> {
  const key = contractKey(slug);
  try {
    return (await store.create(key, bytes)).kind === "created";
  } catch (error) {
    if (isLostAnswer(error)) return (await createOrFind(store, key, bytes)).first;
    throw error;
  }
}

const holds = async ({ store }: Ports, key: string, bytes: Uint8Array): Promise<boolean> => {
  const there = await store.get(key);
  return there !== undefined && Buffer.from(there.bytes).equals(bytes);
};

/** Pseudocode follows from the diagram and may always be made anew; anything else is somebody's. */
async function replaceDerived({ store }: Ports, key: string, bytes: Uint8Array): Promise<void> {
  const there = await store.get(key);
  const derived = key.endsWith("/pseudocode.md");
  if (there && derived && (await store.swap(key, there.hash, bytes)).kind === "swapped") return;
  throw new Failure(
    "DUPLICATE_ENTRY",
    { en: `${key} is there already and says something else`, uk: `${key} вже є і містить інше` },
    {
      hint: {
        en: "Look at the file in the store; take it away, or choose another name for the agent.",
        uk: "Погляньте на файл у сховищі; приберіть його або оберіть іншу назву агента.",
      },
      details: { key },
    },
  );
}

const onlyOwner = (by: Identity): Failure =>
  new Failure(
    "FORBIDDEN",
    { en: "only the owner may make an agent", uk: "лише власник може створити агента" },
    { details: { by: identityName(by) } },
  );

const taken = (slug: string): Failure =>
  new Failure(
    "DUPLICATE_ENTRY",
    { en: `there is an agent ${slug} already`, uk: `агент ${slug} вже є` },
    {
      hint: { en: `\`bloom agent show ${slug}\` shows it.`, uk: `Його покаже \`bloom agent show ${slug}\`.` },
      details: { agent: slug },
    },
  );

const notASlug = (slug: string): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    { en: `${JSON.stringify(slug)} cannot name an agent`, uk: `${JSON.stringify(slug)} не може бути назвою агента` },
    {
      hint: {
        en: "Lower-case Latin letters, digits and inner hyphens, up to 63 characters: archivist-violin.",
        uk: "Малі латинські літери, цифри й дефіси всередині, до 63 символів: archivist-violin.",
      },
      details: { agent: slug },
    },
  );

const takenName = (slug: string): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `${slug} cannot name an agent: in records and addresses it stands for somebody or something else`,
      uk: `${slug} не може бути назвою агента: у записах і адресах це позначає когось або щось інше`,
    },
    { hint: { en: "Choose another name.", uk: "Оберіть іншу назву." }, details: { agent: slug } },
  );
