import { Failure } from "../../../../base/failure.ts";
import type { Text } from "../../../../base/text.ts";
import type { RefName } from "../../../../domain/git/git-names.ts";
import type { Remote } from "../../../../ports/repo.ts";
import { withoutCredentials } from "./remote-url.ts";

/** Error output of git, ssh and curl, with the message to show instead. The first match counts. */
const SENTENCES: readonly (readonly [said: RegExp, why: Text, hint: Text])[] = [
  [
    /ended by SIGKILL|Operation too slow/,
    { en: "it did not answer in time", uk: "він не відповів вчасно" },
    { en: "Try again later.", uk: "Спробуйте пізніше." },
  ],
  [
    /Could not resolve host|Name or service not known|Temporary failure in name resolution|nodename nor servname/i,
    { en: "its host is not known", uk: "такого сервера не знайдено" },
    { en: "Check the address and the network.", uk: "Перевірте адресу та мережу." },
  ],
  [
    /Connection refused|Couldn't connect|Failed to connect|timed out|unreachable|No route to host|reset by peer|closed by remote host|kex_exchange/i,
    { en: "its host cannot be reached", uk: "сервер недоступний" },
    {
      en: "Check the network and whether the host is running, then try again.",
      uk: "Перевірте мережу і чи працює сервер, тоді повторіть.",
    },
  ],
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    { en: "the ssh key of its host has changed", uk: "ключ ssh цього сервера змінився" },
    {
      en: "Ask who runs the host whether it has a new key. If so, remove the old one with “ssh-keygen -R HOST”; if not, somebody may be between you and the host.",
      uk: "Спитайте того, хто веде сервер, чи в нього новий ключ. Якщо так, вилучіть старий: «ssh-keygen -R HOST»; якщо ні, хтось може стояти між вами і сервером.",
    },
  ],
  [
    /Host key verification failed/,
    { en: "ssh does not know this host yet", uk: "ssh ще не знає цього сервера" },
    {
      en: "Connect to it once with ssh and accept its key.",
      uk: "Під'єднайтеся до нього раз через ssh і прийміть ключ.",
    },
  ],
  [
    /Authentication failed|could not read (Username|Password)|Permission denied|Access denied|error: 40[13]|Invalid username/i,
    { en: "it does not accept your name or key", uk: "він не приймає вашого імені чи ключа" },
    {
      en: "Check that “git fetch” works for you there: log in with your credential helper or load your ssh key.",
      uk: "Перевірте, чи працює у вас «git fetch»: увійдіть через credential helper або завантажте ключ ssh.",
    },
  ],
  [
    /not found|does not appear to be a git repository|does not exist|Could not read from remote repository|not a git repository/i,
    { en: "there is no repository at its address", uk: "за його адресою немає репозиторію" },
    { en: "Check the address, and that you may read it.", uk: "Перевірте адресу і чи маєте ви доступ." },
  ],
  [
    /certificate|SSL|TLS/,
    { en: "its certificate is not trusted", uk: "його сертифікату немає довіри" },
    { en: "Check the address and the clock of this machine.", uk: "Перевірте адресу та годинник цієї машини." },
  ],
  [
    /fsck error|error in object|index-pack failed|unpack-objects|bad object|did not send all necessary objects/,
    { en: "it sent damaged objects, and nothing was taken", uk: "він надіслав пошкоджені об'єкти, і нічого не взято" },
    { en: "Run “git fsck” on the other side.", uk: "Виконайте «git fsck» на тому боці." },
  ],
  [
    /No space left on device|Disk quota exceeded/,
    { en: "a disk is full", uk: "диск заповнено" },
    { en: "Free some space and try again.", uk: "Звільніть місце і повторіть." },
  ],
  [
    /does not support --atomic/,
    { en: "it cannot take several refs at once", uk: "він не може прийняти кілька посилань разом" },
    { en: "Use a host with a newer git.", uk: "Візьміть сервер із новішим git." },
  ],
];

/** The failure to show; the original output is in the details, without passwords. */
export function remoteFailure(remote: Remote, said: string): Failure {
  const [, why, hint] = SENTENCES.find(([pattern]) => pattern.test(said)) ?? [
    undefined,
    { en: "git could not communicate with it", uk: "git не зміг з ним обмінятися" },
    { en: "Try “git ls-remote” with its address.", uk: "Спробуйте «git ls-remote» з його адресою." },
  ];
  return new Failure("UPSTREAM_UNAVAILABLE", {
    en: `the remote ${remote.name} failed: ${why.en}`,
    uk: `віддалений репозиторій ${remote.name}: ${why.uk}`,
    hint,
    details: { part: "remote", remote: remote.name, said: withoutCredentials(said, remote).slice(0, 1000) },
  });
}

/** The remote has a rule against a push (a hook, a protected branch), which a fetch cannot cure. */
export const refusedByRule = (remote: Remote, ref: RefName, why: string): Failure => {
  const reason = withoutCredentials(/\((.*)\)\s*$/.exec(why)?.[1] ?? why, remote);
  const isCheckedOut = /checked out|current branch/.test(reason);
  return new Failure("FORBIDDEN", {
    en: `the remote ${remote.name} refuses ${ref}: ${reason}`,
    uk: `віддалений репозиторій ${remote.name} не приймає ${ref}: ${reason}`,
    hint: isCheckedOut
      ? {
          en: "The branch is checked out there. Use a bare repository, or run “git config receive.denyCurrentBranch updateInstead” there.",
          uk: "Цю гілку там відкрито. Візьміть репозиторій bare або виконайте там «git config receive.denyCurrentBranch updateInstead».",
        }
      : {
          en: "It has a rule against this push: ask its owner.",
          uk: "У нього є правило проти такого надсилання: зверніться до його власника.",
        },
    details: { part: "remote", remote: remote.name, ref },
  });
};
