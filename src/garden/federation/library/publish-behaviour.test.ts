import { beforeAll, describe, expect, test } from "vitest";
import { byHand, scratch } from "../../../adapters/repo/git/testing/scratch.ts";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { behaviourFolder, LIBRARY_REF, peerRefs } from "../../../domain/layout.ts";
import { HEAD_FILE } from "../../../domain/library/travelling-behaviour.ts";
import type { Edit } from "../../../ports/repo.ts";
import { oneGarden } from "../../runs/testing/one-garden.ts";
import { registerKind } from "../../sessions/kind-library.ts";
import { landRefs } from "../../sessions/land-refs.ts";
import { gatewaySignature } from "../../sessions/session-garden.ts";
import { newSpace, type SessionSpace } from "../../sessions/testing/space.ts";
import { type Accepted, acceptAnnouncement } from "../accept.ts";
import { announceSessions } from "../announce.ts";
import { grantCapability } from "../capabilities.ts";
import { gardenKey } from "../garden-key.ts";
import { addPeer } from "../peer-book.ts";
import { gardenIdentity, makeIdentity } from "../publish.ts";
import { libraryFindings } from "./library-findings.ts";
import { libraryRows } from "./library-rows.ts";
import { type BehaviourPreview, previewBehaviour, publishBehaviour, withdrawBehaviour } from "./publish-behaviour.ts";
import { readLibrary } from "./read-library.ts";
import { sortingAgent } from "./testing/library-ground.ts";

const shared = oneGarden();
const by = commandLineOwner;
const wish = { agent: "sorter", name: "Sort notes" };
let mailbox: { readonly name: string; readonly url: string };

beforeAll(async () => {
  const url = scratch();
  byHand(url, "init", "-q", "--bare", "-b", "main");
  mailbox = { name: "public", url };
  await makeIdentity(shared());
  await sortingAgent(shared(), "sorter", { runs: [{ count: 5 }, { wanted: true }] });
});

const sent = async (preview: BehaviourPreview) =>
  publishBehaviour(shared(), { ...wish, to: mailbox, digest: preview.digest, by });

/** Bob follows the garden; with `granted` he takes behaviours from it. */
async function follower(granted = true): Promise<SessionSpace> {
  const bob = await newSpace({ bare: true });
  const { fingerprint: pin } = (await gardenIdentity(shared()))!;
  await addPeer(bob, { name: "alice", url: mailbox.url, pin, keys: [] });
  if (granted) await grantCapability(bob, { peer: "alice", agenticType: "behaviour", trigger: "head-move" });
  return bob;
}

const look = (bob: SessionSpace): Promise<Accepted> => acceptAnnouncement(bob, "alice");

/** The library with these edits, announced and sent by a garden that does not check. */
async function hostile(edits: readonly Edit[]): Promise<void> {
  const garden = shared();
  const from = await garden.repo.resolve(LIBRARY_REF);
  const author = gatewaySignature(garden.world.now());
  const to = await garden.repo.build({ parents: [from!], edits, author, committer: author, message: "library" });
  await landRefs(garden, [{ ref: LIBRARY_REF, from, to }]);
  const key = await gardenKey(garden);
  const announced = await announceSessions(garden, key, [], undefined, async () => ({
    refs: new Map([[LIBRARY_REF, to]]),
    moves: [],
  }));
  await garden.repo.push(mailbox, [
    { name: LIBRARY_REF, oid: to },
    { name: "refs/agentic/announce", oid: announced.commit },
  ]);
}

describe("S-9b publishing a behaviour", () => {
  test("exactly the bytes that were shown leave, and a followed garden takes them after a grant", async () => {
    const garden = shared();
    const preview = await previewBehaviour(garden, wish);
    expect(byHand(mailbox.url, "for-each-ref")).toBe("");
    await expect(publishBehaviour(garden, { ...wish, to: mailbox, digest: "0".repeat(40), by })).rejects.toThrow(
      "since its publication was shown",
    );
    await sent(preview);
    const there = preview.files.map(({ path }) => byHand(mailbox.url, "show", `${LIBRARY_REF}:${path}`));
    expect(there.map((text) => text.trim())).toEqual(preview.files.map(({ text }) => text.trim()));
    expect(byHand(mailbox.url, "ls-tree", "-r", "--name-only", LIBRARY_REF).trim().split("\n")).toEqual(
      preview.files.map(({ path }) => path).toSorted(),
    );
    expect(await look(await follower(false))).toEqual({
      kind: "refused",
      why: "not-allowed",
      subject: "head-move behaviour",
    });
    const bob = await follower();
    expect(await look(bob)).toMatchObject({ kind: "accepted", moved: [peerRefs("alice").library] });
    expect((await readLibrary(bob.repo)).map(({ id, reading }) => [id, reading.kind])).toEqual([
      [`alice.${preview.behaviour}`, "behaviour"],
    ]);
    const row = (await libraryRows(garden)).find(({ id }) => id === preview.behaviour);
    expect([row?.source, row?.state, row?.sent?.runs]).toEqual(["own", "sound", 2]);
  });

  test("a kind that was registered since is shown beside the behaviour that it leaves with", async () => {
    await registerKind(shared(), { name: "survey", parent: "finding" });
    const preview = await previewBehaviour(shared(), wish);
    expect(preview.besides.map(({ path }) => path)).toEqual(["kinds/survey.json"]);
    await sent(preview);
    expect((await previewBehaviour(shared(), wish)).besides).toEqual([]);
  });

  test.each(["library.publish.built", "library.publish.announced"])(
    "a publication that dies at %s is completed by the same call",
    async (point) => {
      const garden = shared();
      const name = `Sort after ${point}`;
      const preview = await previewBehaviour(garden, { ...wish, name });
      const again = () => publishBehaviour(garden, { ...wish, name, to: mailbox, digest: preview.digest, by });
      const disarm = armCrashPoints((passed) => {
        if (passed === point) throw new Error("killed");
      });
      await expect(again()).rejects.toThrow("killed");
      disarm();
      await again();
      const head = byHand(mailbox.url, "show", `${LIBRARY_REF}:${behaviourFolder(preview.behaviour)}/${HEAD_FILE}`);
      expect(JSON.parse(head)).toMatchObject({ name });
      expect(await look(await follower())).toMatchObject({ kind: "accepted" });
    },
  );

  test("verify names a behaviour whose evidence was changed by hand", async () => {
    const garden = shared();
    const { behaviour } = await previewBehaviour(garden, wish);
    const before = (await garden.repo.resolve(LIBRARY_REF))!;
    await hostile([{ path: `${behaviourFolder(behaviour)}/evidence.jsonl`, bytes: Buffer.from("") }]);
    const found: string[] = [];
    for await (const { where, what } of libraryFindings(garden.repo)) found.push(`${where} ${what.en}`);
    expect(found).toEqual([`${behaviour} A file was changed after the behaviour was signed.`]);
    await hostile(await restored(before, (await garden.repo.resolve(LIBRARY_REF))!));
  });

  test("a withdrawn behaviour is no longer in the library of those who follow, also after a withdrawal that died unsent", async () => {
    const garden = shared();
    const preview = await previewBehaviour(garden, wish);
    await sent(preview);
    const bob = await follower();
    await look(bob);
    const withdrawn = () => withdrawBehaviour(garden, { wanted: preview.behaviour, to: () => mailbox, by });
    const disarm = armCrashPoints((point) => {
      if (point === "library.withdraw.announced") throw new Error("killed");
    });
    await expect(withdrawn()).rejects.toThrow("killed");
    disarm();
    await look(bob);
    expect((await readLibrary(bob.repo)).length).toBe(1);
    await withdrawn();
    await look(bob);
    expect(await readLibrary(bob.repo)).toEqual([]);
    await sent(await previewBehaviour(garden, wish));
  });

  const attacks: readonly [string, (folder: string) => Promise<Edit[]> | Edit[], string][] = [
    ["a file that is no part of a library", () => [{ path: "hooks/run.sh", bytes: Buffer.from("x") }], "bad-behaviour"],
    [
      "an executable file",
      (folder) => [{ path: `${folder}/signature`, bytes: Buffer.from("x"), mode: "100755" }],
      "bad-behaviour",
    ],
    ["changed evidence", (folder) => [{ path: `${folder}/evidence.jsonl`, bytes: Buffer.from("") }], "bad-behaviour"],
    ["no signature", (folder) => [{ path: `${folder}/signature`, bytes: undefined }], "bad-behaviour"],
    [
      "a behaviour under another id",
      async (folder) => {
        const { repo } = shared();
        const at = (await repo.resolve(LIBRARY_REF))!;
        const files = await repo.list(at, folder);
        return Promise.all(
          files.map(async ({ path }) => ({
            path: path.replace(folder, behaviourFolder("c".repeat(40))),
            bytes: (await repo.read(at, path))!.bytes,
          })),
        );
      },
      "bad-behaviour",
    ],
  ];
  test.each(attacks)("a library with %s is refused as a whole, and nothing lands", async (_, edits, why) => {
    const garden = shared();
    const preview = await previewBehaviour(garden, wish);
    const before = await garden.repo.resolve(LIBRARY_REF);
    const bob = await follower();
    await look(bob);
    const refs = bob.git("for-each-ref");
    await hostile(await edits(behaviourFolder(preview.behaviour)));
    expect(await look(bob)).toMatchObject({ kind: "refused", why });
    expect(bob.git("for-each-ref")).toBe(refs);
    const now = await garden.repo.resolve(LIBRARY_REF);
    await hostile(await restored(before!, now!));
  });
});

/** The edits that bring a tree back. */
async function restored(before: string, now: string): Promise<Edit[]> {
  const { repo } = shared();
  const changed = await repo.changes(before, now);
  return Promise.all(
    changed.map(async ({ path, before: was }) => ({
      path,
      bytes: was && (await repo.read(before, path))!.bytes,
      mode: "100644" as const,
    })),
  );
}
