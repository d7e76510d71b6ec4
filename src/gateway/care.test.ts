import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { machine } from "../domain/layout.ts";
import { announcePeer } from "../garden/core/peers.ts";
import { git, scratch } from "../garden/testing/scratch.ts";
import { proposeThought, testGateway } from "./testing/test-gateway.ts";

test("the owner makes a backup over HTTP, finds it in the list and downloads the same bytes", async () => {
  const { ask, garden } = await testGateway();
  const made = (await (await ask("token", "POST", "/backups", { body: {} })).json()) as { name: string; bytes: number };
  const { backups } = (await (await ask("token", "GET", "/backups")).json()) as { backups: object[] };
  expect(backups).toMatchObject([{ name: made.name, bytes: made.bytes }]);
  const answer = await ask("token", "GET", `/backups/${made.name}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const file = readFileSync(join(garden.dir, machine.backups, made.name));
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(createHash("sha256").update(file).digest("hex"));
  expect(gunzipSync(bytes).includes("repo.bundle")).toBe(true);
  expect((await ask("token", "GET", `/backups/..%2F..%2Fgarden.yaml`)).status).toBe(404);
});

test("the owner fetches, pulls and pushes a remote of the settings over HTTP", async () => {
  const { ask, garden } = await testGateway();
  const bare = join(scratch(), "there.git");
  git(garden.dir, "clone", "-q", "--bare", garden.dir, bare);
  await ask("token", "PATCH", "/settings", { body: { key: "remotes.origin", value: { url: bare } } });
  const act = async (verb: string) => (await ask("token", "POST", `/remotes/origin/${verb}`, { body: {} })).json();
  expect(await act("push")).toMatchObject({ refs: expect.arrayContaining(["refs/heads/main"]) });
  expect(git(bare, "rev-parse", "main")).toBe(git(garden.dir, "rev-parse", "main"));
  expect({ pulled: await act("pull"), fetched: await act("fetch") }).toEqual({
    pulled: { kind: "up-to-date" },
    fetched: { refs: 1 },
  });
});

test("verify over HTTP finds a lost index, and rebuilds it when it is asked to", async () => {
  const ground = await testGateway();
  const { id } = await proposeThought(ground.garden);
  const { entries } = await ground.garden.store.list("proposals/pending/", { limit: 100 });
  const { key } = entries.find((entry) => entry.key.includes(id))!;
  const verify = async (repair: boolean) => {
    const answer = await ground.ask("token", "POST", "/verify", { body: { repair } });
    const { repaired, findings } = (await answer.json()) as { repaired: string[]; findings: { where: string }[] };
    return { repaired: repaired.length > 0, found: findings.some(({ where }) => where.includes(id)) };
  };
  const before = await verify(false);
  await ground.garden.store.delete(key);
  const damaged = await verify(false);
  const mended = await verify(true);
  expect({ before, damaged, mended }).toEqual({
    before: { repaired: false, found: false },
    damaged: { repaired: false, found: true },
    mended: { repaired: true, found: false },
  });
});

test("O-10 the owner reads over HTTP where the garden is kept, its engine and its processes", async () => {
  const { ask, garden } = await testGateway();
  const self = {
    version: "9.9.9",
    url: "http://127.0.0.1:4000/",
    host: "worker-7",
    keyId: "k",
    workingOn: () => ["run_1"],
  };
  const peer = await announcePeer(garden, { ...self, role: "worker" });
  const status = (await (await ask("token", "GET", "/status")).json()) as object;
  const forAnyone = await (await ask("none", "GET", "/health")).text();
  await peer.close();
  expect(status).toMatchObject({
    store: { kind: "directory", place: expect.stringMatching(/^…/) as string },
    engine: { kind: "embedded" },
    peers: [
      { version: "9.9.9", url: "http://127.0.0.1:4000/", host: "worker-7", present: true, working_on: ["run_1"] },
    ],
  });
  expect(forAnyone).toMatch(/9\.9\.9(?!.*worker-7)/);
});
