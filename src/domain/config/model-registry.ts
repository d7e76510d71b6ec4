import { didYouMean } from "../../base/did-you-mean.ts";
import type { Text } from "../../base/text.ts";
import { modelRegistryText } from "./model-registry-data.ts";

/**
 * Whether a contract's `model` can be one, without asking anybody (R-2). The list is bundled; a model that is newer than the
 * list is a warning, a provider that nobody knows is an error.
 */
export type ModelCheck =
  | {
      readonly kind: "known" | "unlisted";
      readonly provider: string;
      readonly model: string;
      /** Variables of the environment that hold its key; none is needed where there are none. */
      readonly keyEnv: readonly string[];
      readonly words: Text;
    }
  | { readonly kind: "unknown"; readonly words: Text; readonly suggestion?: string };

export interface ModelEndpoint {
  readonly url: string;
  readonly key_env?: string | undefined;
}

/** The one that needs no network, and the scripted ones of tests. */
export const FOLLOWER = "bloom/follower";
const OFFLINE = "offline";

/** Whose a model id without a provider is: the first that lists it, else by its first letters. */
const BARE_ORDER = ["anthropic", "openai", "google", "mistral", "deepseek", "xai", "groq"];
const BARE_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, "anthropic"],
  [/^(?:gpt-|chatgpt-|o\d)/, "openai"],
  [/^gemini-/, "google"],
];

/** `endpoints` are the garden's own (`models` in garden.yaml): they come before everything that is listed. */
export function checkModel(id: string, endpoints: Readonly<Record<string, ModelEndpoint>> = {}): ModelCheck {
  const slash = id.indexOf("/");
  if (slash < 0) return checkBare(id, endpoints);
  const [provider, model] = [id.slice(0, slash), id.slice(slash + 1)];
  if (provider === "" || model === "") return unknown(id, NO_NAME);
  const endpoint = Object.hasOwn(endpoints, provider) ? endpoints[provider] : undefined;
  if (endpoint) {
    const keyEnv = endpoint.key_env === undefined ? [] : [endpoint.key_env];
    return { kind: "known", provider, model, keyEnv, words: atEndpoint(provider, endpoint.url) };
  }
  if (id === FOLLOWER || provider === OFFLINE) return { kind: "known", provider, model, keyEnv: [], words: OURS };
  const listed = registry().get(provider);
  if (!listed) {
    const names = ["bloom", ...Object.keys(endpoints), ...registry().keys()];
    const meant = provider === "bloom" ? undefined : didYouMean(provider, names);
    if (provider === "bloom") return unknown(id, ONE_OF_OURS, FOLLOWER);
    if (meant === "bloom") return unknown(id, unknownProvider(provider), FOLLOWER);
    return unknown(id, unknownProvider(provider), meant === undefined ? undefined : `${meant}/${model}`);
  }
  return checkListed(provider, model, listed);
}

function checkListed(provider: string, model: string, { keyEnv, models }: Provider): ModelCheck {
  if (models.has(model)) return { kind: "known", provider, model, keyEnv, words: listedAs(provider, model) };
  const meant = didYouMean(model, models);
  return { kind: "unlisted", provider, model, keyEnv, words: notListed(provider, model, meant) };
}

function checkBare(id: string, endpoints: Readonly<Record<string, ModelEndpoint>>): ModelCheck {
  const listing = BARE_ORDER.find((name) => registry().get(name)?.models.has(id));
  const provider = listing ?? BARE_NAMES.find(([pattern]) => pattern.test(id))?.[1];
  const listed = provider === undefined ? undefined : registry().get(provider);
  if (provider !== undefined && listed) return checkListed(provider, id, listed);
  if (id === "follower") return unknown(id, NO_PROVIDER, FOLLOWER);
  if (Object.hasOwn(endpoints, id)) return unknown(id, NO_NAME);
  const candidates = BARE_ORDER.flatMap((name) => [...(registry().get(name)?.models ?? [])]);
  return unknown(id, NO_PROVIDER, didYouMean(id, candidates));
}

interface Provider {
  readonly keyEnv: readonly string[];
  readonly models: ReadonlySet<string>;
}

let read: ReadonlyMap<string, Provider> | undefined;

/** Taken apart when first asked for: most commands never ask. */
function registry(): ReadonlyMap<string, Provider> {
  read ??= new Map(
    modelRegistryText
      .trimEnd()
      .split("\n")
      .map((line) => {
        const [name, keys, ...models] = line.split(" ") as [string, string, ...string[]];
        return [name, { keyEnv: keys === "-" ? [] : keys.split(","), models: new Set(models) }];
      }),
  );
  return read;
}

const unknown = (id: string, why: Text, suggestion?: string): ModelCheck => ({
  kind: "unknown",
  words: {
    en: `${id}: ${why.en}${suggestion ? `; did you mean ${suggestion}?` : ""}`,
    uk: `${id}: ${why.uk}${suggestion ? `; можливо, ${suggestion}?` : ""}`,
  },
  ...(suggestion !== undefined && { suggestion }),
});

const OURS: Text = { en: "works without a network", uk: "працює без мережі" };
const ONE_OF_OURS: Text = { en: "bloom has one model of its own", uk: "власна модель bloom одна" };
const NO_NAME: Text = { en: "expected provider/model", uk: "потрібно постачальник/модель" };
const NO_PROVIDER: Text = {
  en: "no provider that is known for models without one lists it; write provider/model",
  uk: "жоден відомий постачальник її не має; запишіть постачальник/модель",
};
const unknownProvider = (name: string): Text => ({
  en: `the provider ${name} is not known, and \`models\` in garden.yaml has no endpoint of that name`,
  uk: `постачальник ${name} невідомий, і в \`models\` у garden.yaml немає такої адреси`,
});
const atEndpoint = (name: string, url: string): Text => ({
  en: `at the garden's own endpoint ${name} (${url})`,
  uk: `за власною адресою саду ${name} (${url})`,
});
const listedAs = (provider: string, model: string): Text => ({
  en: `${provider}/${model} is listed`,
  uk: `${provider}/${model} є у переліку`,
});
const notListed = (provider: string, model: string, meant: string | undefined): Text => ({
  en: `${provider} is known, ${model} is not in the bundled list${meant ? `; did you mean ${meant}?` : ""}`,
  uk: `${provider} відомий, але ${model} немає у вбудованому переліку${meant ? `; можливо, ${meant}?` : ""}`,
});
