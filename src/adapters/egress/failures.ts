import type { LookupAddress } from "node:dns";
import { Failure } from "../../base/failure.ts";
import { shownHost } from "./hosts.ts";

export function hostNotAllowed(
  url: URL,
  allow: readonly string[],
  ofContract: boolean,
  from: URL | undefined,
): Failure {
  const host = shownHost(url);
  const where = ofContract ? "`network.allow`" : "`egress`";
  return new Failure("FORBIDDEN", {
    en: `${host} is not on the allow-list${from ? `; ${from.host} redirects there` : ""} (${shownList(allow).en})`,
    uk: `${host} немає в переліку дозволених вузлів${from ? `, а ${from.host} веде туди` : ""} (${shownList(allow).uk})`,
    hint: {
      en: `To allow it, add it to ${where} ${ofContract ? "in the contract" : "in garden.yaml"}.`,
      uk: `Щоб дозволити, додайте його до ${where} ${ofContract ? "у контракті" : "у garden.yaml"}.`,
    },
    details: { host, allow: allow.slice(0, 50), ...(from && { from: from.host }) },
  });
}

const shownList = (allow: readonly string[]): { en: string; uk: string } => {
  const names = `${allow.slice(0, 10).join(", ")}${allow.length > 10 ? ", …" : ""}`;
  return allow.length === 0 ? { en: "it is empty", uk: "він порожній" } : { en: names, uk: names };
};

export const protocolNotAllowed = (url: URL): Failure =>
  new Failure("FORBIDDEN", {
    en: `only http and https are allowed, not ${url.protocol.slice(0, -1)}`,
    uk: `назовні ведуть лише http і https, а не ${url.protocol.slice(0, -1)}`,
  });

export const redirectDowngraded = (from: URL, to: URL): Failure =>
  new Failure("FORBIDDEN", {
    en: `${from.host} redirects to ${to.host} without encryption`,
    uk: `${from.host} веде далі до ${to.host} без шифрування`,
  });

export const tooManyRedirects = (url: URL, hops: number): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `${url.host} redirects again after ${hops} redirects`,
    uk: `${url.host} веде далі після ${hops} переспрямувань`,
  });

export const badRedirect = (from: URL): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `${from.host} redirects to something that is not a URL`,
    uk: `${from.host} веде далі до чогось, що не є адресою`,
  });

export function addressNotAllowed(url: URL, found: readonly LookupAddress[]): Failure {
  const addresses = found.map(({ address }) => address);
  const where = addresses.join(", ");
  return new Failure("FORBIDDEN", {
    en: `${url.hostname} is at ${where || "no address"}, on this machine or its local network, and that address is not on the allow-list`,
    uk: `${url.hostname} має адресу ${where || "—"}, на цій машині чи в її локальній мережі, і цієї адреси немає в переліку`,
    hint: {
      en: "If this is intended, add the address itself to `egress` in garden.yaml.",
      uk: "Якщо так і задумано, додайте саму адресу до `egress` у garden.yaml.",
    },
    details: { host: url.host, addresses },
  });
}

export function hostUnreachable(url: URL, error: Error): Failure {
  if (error instanceof Failure) return error;
  const why = "code" in error && typeof error.code === "string" ? error.code : error.message;
  return new Failure("UPSTREAM_UNAVAILABLE", {
    en: `${url.host} cannot be reached: ${why}`,
    uk: `${url.host} недосяжний: ${why}`,
    details: { host: url.host },
    cause: error,
  });
}

export const responseTooLarge = (url: URL, limit: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the response of ${url.host} is larger than ${limit} bytes`,
    uk: `відповідь ${url.host} більша за ${limit} байтів`,
    details: { host: url.host, limit },
  });
