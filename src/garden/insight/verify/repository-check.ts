import { asFailure } from "../../../base/failure.ts";
import { joined } from "../../../base/text.ts";
import { MAIN_REF } from "../../../domain/layout.ts";
import type { Check } from "./check.ts";

export const repositoryCheck: Check = {
  id: "repository",
  rule: "G-4",
  title: { en: "git's objects and refs are whole", uk: "об'єкти й посилання git цілі" },
  async *run({ repo }) {
    if (repo.kind === "failed") {
      const { text, hint } = repo.failure;
      yield { where: ".git", what: hint ? joined([text, hint], ". ") : text };
      return;
    }
    try {
      for (const { subject, what } of await repo.value.inspect({ everything: true })) yield { where: subject, what };
      if (!(await repo.value.resolve(MAIN_REF))) {
        yield { where: MAIN_REF, what: { en: "the garden has no commit on main", uk: "у саду немає комітів на main" } };
      }
    } catch (error) {
      yield { where: ".git", what: asFailure(error).text };
    }
  },
};
