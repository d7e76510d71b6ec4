import { isSlug } from "../contract/slug.ts";
import { kindIds } from "../session/kind-id.ts";
import { isCommitKind, isKindId, type KindRegistry } from "../session/kinds.ts";
import { readTypedObject, type TypedObject, type TypedValue, typedObject } from "../session/typed-object.ts";
import { malformedCapability } from "./failures.ts";

/** S-10: the acts of another garden that a grant can allow here. */
export const capabilityTriggers = ["spawn", "head-move", "notes", "merge"] as const;
export type CapabilityTrigger = (typeof capabilityTriggers)[number];

/**
 * S-10: a grant. The garden `peer` may do `trigger` with commits of this kind and of kinds below it: a name stands for kinds that are
 * registered here, a federated id (`leak@3f2a…`) also for those that the other garden registers below it.
 */
export interface CapabilityGrant {
  /** The name under which this garden knows the other one. */
  readonly peer: string;
  readonly agenticType: string;
  readonly trigger: CapabilityTrigger;
  /** ISO 8601. From this time on the grant allows nothing. */
  readonly notAfter?: string;
}

export type Capability = CapabilityGrant & TypedValue & { readonly type: "capability" };

const FIELDS = new Set(["type", "peer", "agenticType", "trigger", "notAfter"]);
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

/** The object of a grant: the same grant has the same id everywhere. Throws VALIDATION_FAILED, with the field that is wrong. */
export function capabilityObject(grant: CapabilityGrant, kinds: KindRegistry): TypedObject<Capability> {
  const wrong = wrongField(grant, kinds);
  if (wrong !== undefined) throw malformedCapability(wrong);
  return typedObject<Capability>({ ...grant, type: "capability" }, kinds);
}

/** The grant in these bytes; undefined for anything else, so that a file made by hand allows nothing. */
export function readCapability(bytes: Uint8Array, kinds: KindRegistry): TypedObject<Capability> | undefined {
  try {
    const { type, ...grant } = readTypedObject(bytes, kinds).value;
    return type === "capability" ? capabilityObject(grant as unknown as CapabilityGrant, kinds) : undefined;
  } catch {
    return undefined;
  }
}

function wrongField(grant: CapabilityGrant, kinds: KindRegistry): string | undefined {
  const { peer, agenticType, trigger, notAfter } = grant as Partial<Record<keyof CapabilityGrant, unknown>>;
  const unknown = Object.keys(grant).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) return unknown;
  if (typeof peer !== "string" || !isSlug(peer)) return "peer";
  if (typeof agenticType !== "string" || !(kinds.has(agenticType) || isKindId(agenticType))) return "agenticType";
  if (!(capabilityTriggers as readonly unknown[]).includes(trigger)) return "trigger";
  const isTime =
    notAfter === undefined ||
    (typeof notAfter === "string" && ISO.test(notAfter) && Number.isFinite(Date.parse(notAfter)));
  return isTime ? undefined : "notAfter";
}

export interface CapabilityQuestion {
  readonly peer: string;
  /** The kind of the commit. */
  readonly kind: string;
  /** The kinds of the garden that made the commit. A kind that it does not have, or a question without them, means the kind of this garden. */
  readonly theirs?: KindRegistry;
  readonly trigger: CapabilityTrigger;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** S-10: a set of grants as a table. Without a grant everything is denied. */
export class CapabilitySet {
  /** By garden and trigger, then by kind: a lookup walks up the kinds without making a text for each. */
  readonly #grants = new Map<string, Map<string, Capability[]>>();
  readonly #kinds: KindRegistry;
  readonly objects: readonly TypedObject<Capability>[];

  constructor(objects: readonly TypedObject<Capability>[], kinds: KindRegistry) {
    this.objects = objects;
    this.#kinds = kinds;
    for (const { value } of objects) {
      const key = lookupKey(value.peer, value.trigger);
      const ofKind = this.#grants.get(key) ?? new Map<string, Capability[]>();
      ofKind.set(value.agenticType, [...(ofKind.get(value.agenticType) ?? []), value]);
      this.#grants.set(key, ofKind);
    }
  }

  /**
   * The grant that allows this act; undefined: it is denied. A grant for a kind covers its subtypes, never its supertypes. A kind of the other
   * garden is judged by the line that its own registry gives it: a grant for the name of a kind here covers it only if both gardens define it
   * alike, so that nobody places a kind below a granted one by a registration of his own.
   */
  allows({ peer, kind, theirs, trigger, now }: CapabilityQuestion): Capability | undefined {
    const ofKind = this.#grants.get(lookupKey(peer, trigger));
    if (!ofKind) return undefined;
    const registry = this.#judging(kind, theirs);
    const ids = kindIds(registry);
    const id = ids.get(kind);
    const isOurs = registry === this.#kinds || (id !== undefined && id === kindIds(this.#kinds).get(kind));
    let at: string | undefined = kind;
    for (let steps = 0; at !== undefined && steps <= registry.size; steps++, at = registry.get(at)) {
      if (!registry.has(at)) return undefined; // an unknown kind is a kind of nothing
      const found =
        validGrant(ofKind.get(ids.get(at) ?? ""), now) ?? (isOurs ? validGrant(ofKind.get(at), now) : undefined);
      if (found) return found;
    }
    return undefined;
  }

  /** The same for a commit of a session: other objects have kinds too, and a grant for behaviours is none for commits that say to be one. */
  allowsCommit(question: CapabilityQuestion): Capability | undefined {
    const { kind, theirs } = question;
    return isCommitKind(this.#judging(kind, theirs), kind) ? this.allows(question) : undefined;
  }

  /** The words for a kind in a grant: its name if it is one of this garden's, else its federated id. */
  grantable(kind: string, theirs?: KindRegistry): string {
    const id = kindIds(this.#judging(kind, theirs)).get(kind);
    return id === undefined || id === kindIds(this.#kinds).get(kind) ? kind : id;
  }

  #judging(kind: string, theirs: KindRegistry | undefined): KindRegistry {
    return theirs?.has(kind) ? theirs : this.#kinds;
  }
}

const validGrant = (grants: readonly Capability[] | undefined, now: number): Capability | undefined =>
  grants?.find((grant) => isValidAt(grant, now));
const lookupKey = (peer: string, trigger: CapabilityTrigger): string => `${peer}\n${trigger}`;
const isValidAt = ({ notAfter }: Capability, now: number): boolean =>
  notAfter === undefined || now < Date.parse(notAfter);
