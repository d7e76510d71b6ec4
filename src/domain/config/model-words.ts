import type { Text } from "../../base/text.ts";

/** Messages of the model check. */
export const OFFLINE_MODEL: Text = { en: "needs no network", uk: "працює без мережі" };
export const ONLY_OWN_MODEL: Text = {
  en: "bloom has one model of its own, bloom/follower",
  uk: "власна модель bloom одна: bloom/follower",
};
export const MODEL_WITHOUT_NAME: Text = { en: "expected provider/model", uk: "потрібно постачальник/модель" };
export const MODEL_WITHOUT_PROVIDER: Text = {
  en: "none of the usual providers lists it; write provider/model",
  uk: "жоден відомий постачальник її не має; запишіть постачальник/модель",
};
export const unknownProvider = (name: string): Text => ({
  en: `unknown provider ${name}; \`models\` in garden.yaml has no endpoint of that name either`,
  uk: `постачальник ${name} невідомий, і в \`models\` у garden.yaml немає такої адреси`,
});
export const atEndpoint = (name: string, url: string): Text => ({
  en: `at the garden's own endpoint ${name} (${url})`,
  uk: `за власною адресою саду ${name} (${url})`,
});
export const listedAs = (provider: string, model: string): Text => ({
  en: `${provider}/${model} is listed`,
  uk: `${provider}/${model} є у переліку`,
});
/** The line for garden.yaml that makes a provider known. */
export const noModelAddress = (provider: string, variables: readonly string[]): Text => {
  const key = variables[0] === undefined ? "" : `, key_env: ${variables[0]}`;
  const line = `models: { ${provider}: { url: https://…/v1${key} } }`;
  return {
    en: `the address of ${provider} is not configured; add to garden.yaml: ${line}`,
    uk: `адресу ${provider} не задано; додайте до garden.yaml: ${line}`,
  };
};

export const SAY_UNLISTED: Text = {
  en: "; if it is newer than this list, say `model_unlisted: true` in the contract",
  uk: "; якщо вона новіша за перелік, запишіть `model_unlisted: true` в контракт",
};

export const notListed = (provider: string, model: string, meant: string | undefined): Text => ({
  en: `${model} is not in the bundled list of ${provider}${meant ? `; did you mean ${meant}?` : ""}`,
  uk: `${provider} відомий, але ${model} немає у вбудованому переліку${meant ? `; можливо, ${meant}?` : ""}`,
});
