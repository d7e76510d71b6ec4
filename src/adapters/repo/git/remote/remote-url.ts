import { Failure } from "../../../../base/failure.ts";
import type { Text } from "../../../../base/text.ts";
import type { Remote } from "../../../../ports/repo.ts";

/** For any other scheme git would run `git-remote-<scheme>`. */
const SCHEMES = ["https", "http", "ssh", "git", "file"];
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.|$)){0,62}$/;
const MAX_LENGTH = 2000;

/** Returns the remote. Throws if its name cannot be part of a ref, or if its address would start a helper program. */
export function checkedRemote(remote: Remote): Remote {
  if (!NAME.test(remote.name) || remote.name.endsWith(".lock"))
    throw refused({ en: "its name cannot be part of a ref", uk: "його назва не може бути частиною посилання" }, remote);
  const problem = urlProblem(remote.url);
  if (problem) throw refused(problem, remote);
  return remote;
}

function urlProblem(url: string): Text | undefined {
  if (url === "" || url.length > MAX_LENGTH || url !== url.trim() || !url.isWellFormed())
    return {
      en: "its address is empty, too long or padded",
      uk: "його адреса порожня, задовга або з пропусками скраю",
    };
  if (/[\u0000-\u001f\u007f]/.test(url))
    return { en: "its address has control characters", uk: "в його адресі є керівні символи" };
  if (url.startsWith("-")) return { en: "its address begins with a hyphen", uk: "його адреса починається з дефіса" };
  if (/^[A-Za-z0-9+.-]*::/.test(url))
    return { en: "its address names a helper program", uk: "його адреса називає допоміжну програму" };
  const scheme = /^([^/?#:]*):\/\//.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && !SCHEMES.includes(scheme)) {
    return {
      en: `its address is none of ${SCHEMES.join(", ")}`,
      uk: `його адреса не належить до ${SCHEMES.join(", ")}`,
    };
  }
  if (/^(?:[^/:]*:\/\/)?(?:[^/@]*@)?\[?-/.test(url))
    return { en: "its host begins with a hyphen", uk: "назва сервера починається з дефіса" };
  return undefined;
}

/**
 * Removes user and password from text for people and logs. The user of an ssh address stays: it is no secret (the key is), and
 * without it the address leads nowhere.
 */
export const withoutCredentials = (text: string, { url }: Remote): string => {
  const plain = text.replace(/([A-Za-z][A-Za-z0-9+.-]*:\/\/)([^/\s'"]*)@/g, (_, scheme: string, user: string) =>
    isSsh(scheme) && user !== "" ? `${scheme}${user.split(":", 1)[0]}@` : scheme,
  );
  const [, scheme = "", password, user = ""] = /^([A-Za-z]+:\/\/)(?:[^/]*:([^/]*)|([^/]*))@/.exec(url) ?? [];
  const secret = password ?? (isSsh(scheme) ? "" : user);
  const forms = [secret, decoded(secret)].filter((form) => form.length > 2);
  return forms.reduce((seen, form) => seen.replaceAll(form, "***"), plain);
};

const isSsh = (scheme: string): boolean => scheme.toLowerCase() === "ssh://";

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const refused = (why: Text, remote: Remote): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the remote ${JSON.stringify(remote.name)} cannot be used: ${why.en}`,
    uk: `віддалений репозиторій ${JSON.stringify(remote.name)} не можна використати: ${why.uk}`,
    hint: {
      en: "Give an address such as https://host/garden.git, git@host:garden.git or a folder.",
      uk: "Вкажіть адресу на зразок https://host/garden.git, git@host:garden.git або теку.",
    },
    details: { part: "remote", remote: remote.name },
  });
