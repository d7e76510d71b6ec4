import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { realWorld } from "../../base/world.ts";
import { MAIN_REF } from "../../domain/layout.ts";
import type { Store } from "../../ports/store.ts";
import { applyProposal } from "../changes/apply/apply-proposal.ts";
import { approved, note } from "../changes/apply/testing/proposals.ts";
import { closeGarden, type Garden, openGarden } from "../core/garden.ts";
import { verifyGarden } from "../insight/verify/verify.ts";
import { files, git, scratch, testPorts } from "../testing/scratch.ts";
import { initGarden } from "./init.ts";
import { chooseRemote, fetchRemote, pullRemote, pushRemote } from "./remotes.ts";

const open: Garden[] = [];
afterEach(async () => {
  for (const garden of open.splice(0)) await closeGarden(garden);
});

/** Two gateways: a clone each on one bare remote, and one store. */
async function twoGateways(): Promise<{ remote: string; one: Garden; two: Garden }> {
  const [remote, dir, other] = [scratch(), scratch(), scratch()];
  git(remote, "init", "-q", "--bare", "-b", "main");
  files(dir, { "notes/first.md": "first\n" });
  const ports = testPorts(realWorld);
  const made = await initGarden(ports, dir, { language: "en", name: "Two", remote });
  expect(made.remote).toMatchObject({ address: remote, reachable: true, blocked: false, behind: 0, ahead: 0 });
  git(other, "clone", "-q", remote, ".");
  const [one, two] = [await openGarden(ports, dir), await openGarden(ports, other)];
  open.push(one, two);
  return { remote, one, two: { ...two, store: anotherOf(one.store) } };
}

/** The same records through another object: every gateway has its own queue of changes to apply. */
const anotherOf = (store: Store): Store =>
  new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });

test("P-8 two gateways apply 8 proposals at once: one chain on the remote, nothing lost, nothing twice", async () => {
  const { remote, one, two } = await twoGateways();
  const proposals = [];
  for (let n = 0; n < 8; n++) proposals.push(await approved(one, note(`notes/n${n}.md`, `${n}\n`)));
  const applied = await Promise.all(
    proposals.flatMap(({ id }) => [one, two].map((garden) => applyProposal(garden, id, "owner"))),
  );
  expect(applied.map(({ status }) => status)).toEqual(applied.map(() => "applied"));
  const named = git(remote, "log", "--format=%(trailers:key=Proposal,valueonly)", "main").split("\n").filter(Boolean);
  expect(named.toSorted()).toEqual(proposals.map(({ id }) => id).toSorted());
  for (const { repo } of [one, two]) await repo.refresh();
  const head = git(remote, "rev-parse", "main");
  expect([await one.repo.resolve(MAIN_REF), await two.repo.resolve(MAIN_REF)]).toEqual([head, head]);
  const findings = await verifyGarden({
    ...one,
    config: { kind: "value", value: one.config },
    repo: { kind: "open", value: one.repo },
    store: { kind: "open", value: one.store },
  });
  expect(findings).toEqual([]);
});

test("the remote that a garden follows is looked at by fetch, and refused to pull and push", async () => {
  const { one } = await twoGateways();
  const remote = chooseRemote(one, undefined);
  expect({ name: remote.name, refs: (await fetchRemote(one, remote)).refs.map(({ name }) => name) }).toEqual({
    name: "repo",
    refs: ["refs/authority/heads/main"],
  });
  const refused = await Promise.all(
    [pullRemote(one, remote), pushRemote(one, remote)].map((work) => work.catch((error: unknown) => error)),
  );
  expect(refused).toMatchObject([{ code: "INVALID_TRANSITION" }, { code: "INVALID_TRANSITION" }]);
});

test("G-7 another remote in garden.yaml takes effect after a restart, and says so until then", async () => {
  const { one } = await twoGateways();
  appendFileSync(join(one.dir, "garden.yaml"), "egress: [example.org]\n");
  await one.settings.reload();
  expect(one.settings.trouble).toBeUndefined();
  files(one.dir, { "garden.yaml": "version: 2\nname: Two\nrepo: { remote: ../elsewhere }\n" });
  await one.settings.reload();
  expect(one.settings.trouble?.text.en).toContain("takes effect after a restart");
});
