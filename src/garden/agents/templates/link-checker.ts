import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import type { AgentTemplate } from "./template.ts";

export const linkCheckerTemplate: AgentTemplate = {
  id: "link-checker",
  group: "watch",
  name: { uk: "Перевіряльник посилань", en: "Link checker" },
  purpose: {
    uk: "Раз на місяць перевіряє посилання на вебсторінки; про зниклі лишає коментар у рядку",
    en: "Checks links to the web once a month; comments on the line of each that is gone",
  },
  reads: { uk: "посилання на веб", en: "links to the web" },
  needs: {
    uk: "Дозвольте вузли в налаштуваннях (egress): інші буде лише перелічено.",
    en: "Allow the hosts in the settings (egress): others are only listed.",
  },
  model: FOLLOWER,
  tools: ["web-links", "create-proposal"],
  safe_outputs: ["propose-comment", "propose-artifact"],
  settings: { execution: "flow", cron: "0 5 1 * *", max_sources: 100, budget: { proposals: 30 } },
  role: {
    uk: "Сторінки зникають, а посилання лишаються. Ти відкриваєш кожну адресу, яку дозволив власник. Про сторінку, якої сервер більше не має, ти лишаєш коментар у її рядку. Решту, до якої не вдалося дістатися, перелічуєш у звіті: це може бути тимчасово.",
    en: "Pages vanish, and links stay. You open every address that the owner allowed. Where the server says that a page is gone, you leave a comment on its line. The others that could not be reached are listed in a report: that may be temporary.",
  },
  procedure: {
    uk: String.raw`ПОЧАТОК "Посилання на вебсторінки"

  посилання ← web-links()
  недоступні ← ""
  вузли ← []
  недозволені ← ""

  ДЛЯ КОЖНОГО одне З посилання
    ЯКЩО одне.state = "gone"
      create-proposal(
        тип: "propose-comment",
        нотатка: одне.slug,
        line: одне.line,
        зміст: "Сторінки більше немає (відповідь " + одне.status + "): " + одне.url,
        summary: "Зникла сторінка на " + одне.host
      )

    ЯКЩО одне.state = "failing" АБО одне.state = "unreachable"
      недоступні ← недоступні + "- [[" + одне.slug + "]], рядок " + одне.line + ": " + одне.url + "\n"

    ЯКЩО одне.state = "not-allowed" І одне.host не в вузли
      вузли ← вузли + одне.host
      недозволені ← недозволені + "- " + одне.host + "\n"

  ЯКЩО недоступні порожні І недозволені порожні
    → КІНЕЦЬ

  create-proposal(
    тип: "propose-artifact",
    ім_я: "web-links.md",
    зміст: "# Посилання на веб\n\n## Не відповіли\n\n" + недоступні + "\n## Вузли, яких немає в egress\n\n" + недозволені,
    summary: "Посилання, яких не вдалося перевірити"
  )

КІНЕЦЬ
`,
    en: String.raw`BEGIN "Links to the web"

  links ← web-links()
  silent ← ""
  hosts ← []
  closed ← ""

  FOR EACH link IN links
    IF link.state = "gone"
      create-proposal(
        type: "propose-comment",
        note: link.slug,
        line: link.line,
        content: "This page is gone (answer " + link.status + "): " + link.url,
        summary: "A page is gone at " + link.host
      )

    IF link.state = "failing" OR link.state = "unreachable"
      silent ← silent + "- [[" + link.slug + "]], line " + link.line + ": " + link.url + "\n"

    IF link.state = "not-allowed" AND link.host is not in hosts
      hosts ← hosts + link.host
      closed ← closed + "- " + link.host + "\n"

  IF silent is empty AND closed is empty
    → END

  create-proposal(
    type: "propose-artifact",
    name: "web-links.md",
    content: "# Links to the web\n\n## No answer\n\n" + silent + "\n## Hosts that are not in egress\n\n" + closed,
    summary: "Links that could not be checked"
  )

END
`,
  },
};
