import { scriptedModel } from "../../../../adapters/runtime/testing/scripted-model.ts";
import { canonicalJson, type Json } from "../../../../base/canonical.ts";
import { fingerprint, keyPairOf, type SshKeyPair } from "../../../../domain/federation/ssh-key.ts";
import { sshSignature } from "../../../../domain/federation/ssh-signature.ts";
import {
  BEHAVIOUR_NAMESPACE,
  type BehaviourFiles,
  type BehaviourHead,
  behaviourHead,
  HEAD_FILE,
  SIGNATURE_FILE,
  travellingFiles,
} from "../../../../domain/library/travelling-behaviour.ts";
import type { RunPlace } from "../../../core/flow/journal.ts";
import type { Garden } from "../../../core/garden.ts";
import { drawnAgent } from "../../../insight/learning/testing/drawn-agent.ts";
import { live, portsWith, requestedRun } from "../../../runs/testing/agent-ground.ts";
import { type BehaviourDraft, behaviourDraft } from "../build-behaviour.ts";

/** Two questions of a computation, a tool whose answer holds texts of the garden, and an effect. */
export const SORT = `BEGIN "Sort"
  notes ← read-notes()
  IF wanted
    text ← read-context(name)
  IF count > 3
    create-proposal(type: "propose-note", path: "notes/" + mark + ".md", text: "# New")
END
`;

/** An agent that sorts, with `runs` recorded runs by the follower. */
export async function sortingAgent(
  garden: Garden,
  slug: string,
  {
    procedure = SORT,
    runs = [],
  }: { readonly procedure?: string; readonly runs?: readonly { [name: string]: Json }[] } = {},
): Promise<readonly RunPlace[]> {
  await drawnAgent(garden, slug, procedure, {
    execution: "flow",
    model: "bloom/follower",
    tools: "[read-notes, read-context, create-proposal]",
    safe_outputs: "[propose-note]",
    max_steps: "20",
  });
  const places: RunPlace[] = [];
  for (const [index, input] of runs.entries()) {
    const place = await requestedRun(garden, slug, {
      wanted: false,
      name: "a",
      count: 1,
      mark: `${slug}-${index}`,
      secret: "Olena Kovalenko",
      ...input,
    });
    await live(garden, place, portsWith(scriptedModel([])));
    places.push(place);
  }
  return places;
}

/** The files of an agent's behaviour, signed by this key. `change` alters what is signed: a sender who lies. */
export async function signedFiles(
  garden: Garden,
  agent: string,
  { key = senderKey, name = "Sort notes", change = (draft) => draft }: SignedAs = {},
): Promise<BehaviourFiles> {
  const draft = change(await behaviourDraft(garden, { agent }));
  return travellingFiles({ ...draft, name, space: fingerprint(key.publicKey) }, key);
}

export const senderKey = keyPairOf(Buffer.alloc(32, 1));

interface SignedAs {
  readonly key?: SshKeyPair;
  readonly name?: string;
  readonly change?: (draft: BehaviourDraft) => BehaviourDraft;
}

/** The files with another head, signed again: figures that the records do not give. */
export function withHead(files: BehaviourFiles, change: (head: BehaviourHead) => BehaviourHead): BehaviourFiles {
  const head = behaviourHead.parse(JSON.parse(Buffer.from(files.get(HEAD_FILE)!).toString()));
  const bytes = Buffer.from(`${canonicalJson(change(head))}\n`);
  const signature = Buffer.from(sshSignature(bytes, senderKey, BEHAVIOUR_NAMESPACE));
  return new Map([...files, [HEAD_FILE, bytes], [SIGNATURE_FILE, signature]]);
}
