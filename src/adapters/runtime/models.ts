import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { Failure, failureFromRecord, failureToRecord } from "../../base/failure.ts";
import { MODEL_MISSING } from "../../domain/config/failures.ts";
import { checkModel, FOLLOWER, type ModelEndpoint, modelAddress } from "../../domain/config/model-registry.ts";
import { redact } from "../../domain/text/redact.ts";
import type { Egress } from "../../ports/egress.ts";
import { followerModel } from "./follower/follower-model.ts";
import { modelFailure } from "./model-failure.ts";

export interface ModelSettings {
  /** `models` of garden.yaml. `anthropic` and `openai` use their own protocols, all others OpenAI's chat protocol. */
  readonly endpoints: Readonly<Record<string, ModelEndpoint>>;
  /** The value of an environment variable. Read for each call, never stored. */
  readonly keys: (variable: string) => string | undefined;
  /** The way to the model's own host. */
  readonly egressTo: (url: URL) => Egress;
}

/**
 * The language model with this id, as written in contracts. Throws at once for an invalid id or a missing key. The vendor's
 * library is loaded at the first call and uses the network only through the garden's egress.
 */
export function languageModel(id: string, settings: ModelSettings): LanguageModelV4 {
  if (id === FOLLOWER && !Object.hasOwn(settings.endpoints, "bloom")) return followerModel();
  const checked = checkModel(id, settings.endpoints);
  if (checked.kind === "unknown")
    throw new Failure("VALIDATION_FAILED", { ...checked.words, details: { model: id, ...MODEL_MISSING } });
  const { provider, model } = checked;
  const address = modelAddress(provider, settings.endpoints);
  if (!address) throw noAddress(id, provider, checked.keyEnv);
  const { url, variables } = address;
  const key = variables.map((name) => settings.keys(name)).find((value) => value !== undefined && value !== "");
  if (variables.length > 0 && key === undefined) throw noKey(id, variables);
  const way = settings.egressTo(new URL(url));
  const fetch: typeof globalThis.fetch = (input, init) => way.fetch(input, init);
  const load = OWN_PROTOCOLS[provider] ?? compatible;
  return wrapped(id, key, () => load({ provider, model, url, key, fetch }));
}

interface Vendor {
  readonly provider: string;
  readonly model: string;
  readonly url: string;
  readonly key: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

type Load = (vendor: Vendor) => Promise<LanguageModelV4>;

const compatible: Load = async ({ provider, model, url, key, fetch }) => {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const made = createOpenAICompatible({
    name: provider,
    baseURL: url,
    fetch,
    ...(key !== undefined && { apiKey: key }),
  });
  return made.chatModel(model) as unknown as LanguageModelV4;
};

/** URL and key are always passed: otherwise the libraries read them from the environment. */
const OWN_PROTOCOLS: Readonly<Record<string, Load | undefined>> = {
  // Without a prototype: a provider may have any name.
  __proto__: null as never,
  async anthropic({ model, url, key, fetch }) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ baseURL: url, apiKey: key!, fetch })(model) as unknown as LanguageModelV4;
  },
  async openai({ model, url, key, fetch }) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return withoutStorage(createOpenAI({ baseURL: url, apiKey: key!, fetch })(model) as unknown as LanguageModelV4);
  },
};

/**
 * Sets `store: false`: otherwise OpenAI stores requests, and its library sends ids of stored items instead of the recorded
 * text.
 */
const withoutStorage = (model: LanguageModelV4): LanguageModelV4 => ({
  ...idsOf(model),
  doGenerate: (options) => model.doGenerate(unstored(options)),
  doStream: (options) => model.doStream(unstored(options)),
});

const unstored = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => ({
  ...options,
  providerOptions: { ...options.providerOptions, openai: { ...options.providerOptions?.["openai"], store: false } },
});

const idsOf = ({ provider, modelId }: Pick<LanguageModelV4, "provider" | "modelId">) =>
  ({ specificationVersion: "v4", provider, modelId, supportedUrls: {} }) as const;

/** Loads the model lazily, converts its errors into failures without the key, and omits a temperature that the model rejects. */
function wrapped(id: string, key: string | undefined, load: () => Promise<LanguageModelV4>): LanguageModelV4 {
  let loaded: Promise<LanguageModelV4> | undefined;
  const attempt = async <T>(
    options: LanguageModelV4CallOptions,
    call: (model: LanguageModelV4, options: LanguageModelV4CallOptions) => PromiseLike<T>,
  ): Promise<T> => {
    const model = await (loaded ??= load());
    try {
      try {
        return await call(model, options);
      } catch (error) {
        if (options.temperature === undefined || !refusesTemperature(error)) throw error;
        const { temperature: _, ...rest } = options;
        return await call(model, rest);
      }
    } catch (error) {
      if (options.abortSignal?.aborted) throw error;
      throw withoutKey(modelFailure(error, id), key);
    }
  };
  const slash = id.indexOf("/");
  return {
    ...idsOf({ provider: slash < 0 ? "bare" : id.slice(0, slash), modelId: id.slice(slash + 1) }),
    doGenerate: (options) => attempt(options, (model, given) => model.doGenerate(given)),
    doStream: (options) => attempt(options, (model, given) => model.doStream(given)),
  };
}

/** Detected from the response, because a list of such models would become stale. */
const refusesTemperature = (error: unknown): boolean =>
  error instanceof Error &&
  (error as { statusCode?: unknown }).statusCode === 400 &&
  /temperature/i.test(`${error.message} ${String((error as { responseBody?: unknown }).responseBody)}`);

function withoutKey(failure: Failure, key: string | undefined): Failure {
  const record = JSON.stringify(failureToRecord(failure));
  const clean = redact(record, key === undefined ? [] : [key]);
  return clean === record ? failure : failureFromRecord(JSON.parse(clean) as ReturnType<typeof failureToRecord>);
}

const noKey = (id: string, variables: readonly string[]): Failure =>
  new Failure("AUTH_REQUIRED", {
    en: `the model ${id} needs a key, and ${variables.join(" or ")} is not set`,
    uk: `модель ${id} потребує ключа, а ${variables.join(" чи ")} не задано`,
    hint: {
      en: `Set ${variables[0]} in the environment of \`bloom up\`, or let the agent use ${FOLLOWER}, which needs none.`,
      uk: `Задайте ${variables[0]} в оточенні \`bloom up\` або дайте агентові ${FOLLOWER}, якій ключ не потрібен.`,
    },
    details: { model: id, variables },
  });

function noAddress(id: string, provider: string, variables: readonly string[]): Failure {
  const key = variables[0] === undefined ? "" : `, key_env: ${variables[0]}`;
  const line = `models: { ${provider}: { url: https://…/v1${key} } }`;
  return new Failure("VALIDATION_FAILED", {
    en: `the address of ${provider} is not configured, so ${id} cannot be used`,
    uk: `де відповідає ${provider}, невідомо: запитати ${id} не можна`,
    hint: {
      en: `Anthropic and OpenAI are known. For others, write the address of their OpenAI-compatible interface into garden.yaml: ${line}`,
      uk: `Anthropic та OpenAI відомі. Для інших запишіть адресу їхнього сумісного з OpenAI інтерфейсу в garden.yaml: ${line}`,
    },
    details: { model: id, provider, ...MODEL_MISSING },
  });
}
