import { fingerprint, keyPairOf, publicKeyLine } from "../../../../domain/federation/ssh-key.ts";
import { behaviourFolder, peerRefs } from "../../../../domain/layout.ts";
import type { EvidenceRecord } from "../../../../domain/library/evidence-record.ts";
import { travellingFiles } from "../../../../domain/library/travelling-behaviour.ts";
import { readProgram } from "../../../../drakon/diagram-program.ts";
import type { Garden } from "../../../core/garden.ts";
import { drawnFrom } from "../../../insight/learning/testing/drawn-agent.ts";
import { gatewaySignature } from "../../../sessions/session-garden.ts";
import { addPeer, listPeers } from "../../peer-book.ts";

const key = keyPairOf(Buffer.alloc(32, 7));
const space = fingerprint(key.publicKey);

export interface PeerOffer {
  readonly name: string;
  readonly version: string;
  readonly procedure: string;
  readonly good: number;
  readonly bad: number;
}

/** Puts behaviours into the accepted library of a followed garden, as an announcement would. Returns their behaviour ids. */
export async function peerLibrary(
  garden: Garden,
  peer: string,
  offers: readonly PeerOffer[],
): Promise<readonly string[]> {
  const { repo, world } = garden;
  if (!(await listPeers(repo)).some(({ name }) => name === peer))
    await addPeer(garden, {
      name: peer,
      url: "/nowhere",
      pin: space,
      space,
      keys: [{ key: publicKeyLine(key.publicKey), from_seq: 1 }],
    });
  const ids: string[] = [];
  const edits: { path: string; bytes: Uint8Array }[] = [];
  for (const { name, version, procedure, good, bad } of offers) {
    const logic = drawnFrom(procedure);
    const behaviour = readProgram(logic).behaviour!;
    const record = (verdict: "good" | "bad"): EvidenceRecord => ({
      verdict,
      failed: verdict === "bad",
      tokens: 10,
      model: "bloom/follower",
      temperature: 0.3,
    });
    const records = [
      ...Array<EvidenceRecord>(good).fill(record("good")),
      ...Array<EvidenceRecord>(bad).fill(record("bad")),
    ];
    const files = travellingFiles(
      { name, kind: "session-flow", behaviour, version, language: "en", space, logic, records },
      key,
    );
    for (const [file, bytes] of files) edits.push({ path: `${behaviourFolder(behaviour)}/${file}`, bytes });
    ids.push(behaviour);
  }
  const ref = peerRefs(peer).library;
  const from = await repo.resolve(ref);
  const by = gatewaySignature(world.now());
  const to = await repo.build({
    parents: from === undefined ? [] : [from],
    edits,
    author: by,
    committer: by,
    message: "library",
  });
  await repo.move([{ ref, from, to, reason: "test" }]);
  return ids;
}
