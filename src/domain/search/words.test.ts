import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stemOf, termsIn } from "./words.ts";

describe("R-4 forms of one word have one stem", () => {
  test.each([
    ["скрипка скрипки скрипці скрипку скрипкою скрипок скрипкам скрипками скрипках скрипковий скрипкового"],
    ["нотатка нотатки нотатку нотаток нотатками нотатці"],
    ["пам'ять пам’яті памʼять пам'яттю"],
    ["навчання навчанням навчань навчати навчає навчали навчатися навчається"],
    ["питання питань питанням питаннях"],
    ["знання знань знанням"],
    ["речення речень реченням"],
    ["рік року роки років"],
    ["ніч ночі"],
    ["камінь каменя камені каменем"],
    ["осінь осені осінню"],
    ["український українська українського Україна України українською"],
    ["музика музики музиці музичний музичного музичну"],
    ["класика класичний класичної"],
    ["швидкість швидкості швидкістю швидкий швидкого"],
    ["садок садка садку садки садків"],
    ["дерево дерева деревом дереву"],
    ["вересень вересня вересні"],
    ["хлопець хлопця хлопцем хлопці"],
    ["лід льоду льодом"],
    ["важливий важливого важливішого важливіший важливість"],
    ["день дня дні днів"],
    ["люди людей людина людям"],
    ["проєкт проєкту проєкти проєктів проєктами"],
    ["агент агента агенти агентів агентом агентам"],
    ["результат результату результати результатів"],
    ["матеріал матеріалу матеріали матеріалами"],
    ["проблема проблеми проблем проблемам проблемою"],
    ["система систем системи системою"],
    ["соната сонати сонат сонатою"],
    ["архів архіву архіви архівів"],
    ["мотив мотиви мотивом"],
    ["історія історії історій історією"],
    ["говорити говорить говорив говорили говорять"],
    ["струна струни струн струнами"],
    ["violin violins Violin's"],
    ["study studies studied studying"],
    ["garden gardens gardening gardened"],
    ["stop stopped stopping stops"],
    ["note noted notes"],
    ["organize organizes organized organization"],
    ["decision decisions"],
  ])("%s", (forms) => {
    expect([...new Set(forms.split(" ").map(stemOf))]).toHaveLength(1);
  });

  test.each([
    ["скрипка скриня"],
    ["село сіль"],
    ["кіт кут"],
    ["вода вогонь"],
    ["рука рік"],
    ["план плаття"],
    ["сонце сон"],
    ["note not"],
    ["universe unit"],
    ["garden guard"],
  ])("other words have another stem: %s", (pair) => {
    const [one, other] = pair.split(" ").map(stemOf);
    expect(one).not.toBe(other);
  });
});

describe("R-4 spelling variants of a word have one stem", () => {
  test.each([
    ["apostrophes", "пам'ять пам’ять памʼять"],
    ["letter case", "Скрипка СКРИПКА скрипка"],
    ["decomposed letters", `${"йогурт".normalize("NFD")} йогурт`],
    ["stress marks", "за\u0301мок замок"],
    ["soft hyphens", "скри\u00adпка скрипка"],
    ["possessives", "Bach's Bach’s bach"],
  ])("%s", (_, text) => {
    expect(new Set(termsIn(text)).size).toBe(1);
  });

  test("stop words are omitted", () => {
    expect(termsIn("Що це таке і чому воно є у саду?").length).toBe(1);
    expect(termsIn("What is it that the garden has, and why?").length).toBe(1);
  });
});

test("R-4 a stem is never empty, rarely longer than its word, and deterministic", () => {
  const letters = fc.constantFrom(..."абвгґдеєжзиіїйклмнопрстуфхцчшщьюя'abcdefghijklmnopqrstuvwxyz");
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 20 }), (made) => {
      for (const stem of termsIn(made.join(""))) {
        expect(stem.length).toBeGreaterThan(0);
        expect(stem.length).toBeLessThanOrEqual(made.length + 1);
      }
    }),
  );
});
