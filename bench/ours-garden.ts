import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { composePorts } from "../src/compose.ts";
import { withGardenValue } from "../src/domain/config/garden-config-text.ts";
import { commandLineOwner } from "../src/domain/identity.ts";
import { tree } from "../src/domain/layout.ts";
import { reviewProposal } from "../src/garden/changes/effect/review.ts";
import { receive } from "../src/garden/changes/inbox/receive.ts";
import { decide } from "../src/garden/changes/proposals/decide.ts";
import { closeGarden, type Garden, openGarden } from "../src/garden/core/garden.ts";
import { initGarden } from "../src/garden/life/init.ts";
import type { Contender } from "./harness.ts";
import { notePath, noteWith, type Repository, scattered } from "./repository.ts";
import { git } from "./rivals/git-rival.ts";

const ground = composePorts({ environment: { ...process.env } });

/** A garden over a repository of notes, open. */
export async function gardenIn(folder: string, repository: Repository): Promise<Garden> {
  await repository(folder);
  await initGarden(ground, folder, { language: "en", name: "Bench" });
  const config = join(folder, tree.config);
  let settings = await readFile(config, "utf8");
  for (const limit of ["owner_per_minute", "agent_per_minute"])
    settings = withGardenValue(settings, ["limits", limit], 100_000);
  await writeFile(config, settings);
  await git(folder, ["commit", "--quiet", "-m", "Ask as often as you like", tree.config]);
  return openGarden(ground, folder);
}

export const reopened = (folder: string): Promise<Garden> => openGarden(ground, folder);

/** A pending proposal, and what a person who looked at it would name. */
export interface Waiting {
  readonly id: string;
  readonly digest: string;
}

/** The owner asks for a change of one note, and looks at it. */
export async function proposed(garden: Garden, path: string, text: string): Promise<Waiting> {
  const received = await receive(garden, {
    identity: commandLineOwner,
    action: "propose-edit",
    payload: { path, text },
    summary: "Change a note",
  });
  if (received.kind === "refused") throw received.failure;
  const { proposal } = received;
  return { id: proposal.id, digest: (await reviewProposal(garden, proposal)).digest };
}

export async function approvedInto(garden: Garden, { id, digest }: Waiting): Promise<string> {
  const decision = { proposal: id, verdict: "approve", digest, by: commandLineOwner } as const;
  const { status, apply_result } = await decide(garden, decision);
  if (status !== "applied" || apply_result?.git_commit === undefined)
    throw new Error(`${id} is ${status}: ${JSON.stringify(apply_result)}`);
  return apply_result.git_commit;
}

/** From the owner's decision to the commit on main, with work tree and index behind it. What was proposed lies ready. */
export const approving = (repository: Repository, files: number): Contender => ({
  name: "bloom (synced)",
  async open(folder) {
    const garden = await gardenIn(folder, repository);
    const stock: Waiting[] = [];
    const most = Math.min(MOST, Math.ceil(files / 2)); // each about a note of its own
    let step = 0;
    return {
      async ready() {
        while (stock.length < most) {
          const n = scattered(step++, files);
          stock.push(await proposed(garden, notePath(n), noteWith(n, `Step ${step}.`).toString()));
        }
      },
      async once() {
        const next = stock.shift();
        if (!next) return "spent";
        await approvedInto(garden, next);
        return undefined;
      },
      close: () => closeGarden(garden),
    };
  },
});

const MOST = 400;
