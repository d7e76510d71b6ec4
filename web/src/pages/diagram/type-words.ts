import type { Text } from "../../words/say.ts";

/** What an icon of each type is called. */
export const typeWords: Readonly<Record<string, Text>> = {
  action: { en: "Action", uk: "Дія" },
  question: { en: "Question", uk: "Питання" },
  select: { en: "Select", uk: "Вибір" },
  case: { en: "Case", uk: "Варіант" },
  loopbegin: { en: "For each", uk: "Для кожного" },
  loopend: { en: "End of the loop", uk: "Кінець циклу" },
  "arrow-loop": { en: "Way back", uk: "Повернення" },
  parbegin: { en: "Process", uk: "Процес" },
  parend: { en: "End of the parallel block", uk: "Кінець паралельного блоку" },
  branch: { en: "Branch", uk: "Гілка" },
  address: { en: "Go to branch", uk: "До гілки" },
  end: { en: "End", uk: "Кінець" },
  header: { en: "Header", uk: "Заголовок" },
  params: { en: "Parameters", uk: "Параметри" },
  insertion: { en: "Call of a diagram", uk: "Виклик діаграми" },
  comment: { en: "Comment", uk: "Коментар" },
  simpleinput: { en: "Ask a person", uk: "Запитати людину" },
  simpleoutput: { en: "Tell", uk: "Повідомити" },
  input: { en: "Wait for a signal", uk: "Чекати на сигнал" },
  output: { en: "Tell someone", uk: "Повідомити комусь" },
  process: { en: "Start a process", uk: "Запустити процес" },
  shelf: { en: "Shelf", uk: "Полиця" },
  timer: { en: "Timer", uk: "Таймер" },
  pause: { en: "Pause", uk: "Пауза" },
  ctrlstart: { en: "Begin of a period", uk: "Початок періоду" },
  ctrlend: { en: "End of a period", uk: "Кінець періоду" },
  duration: { en: "Duration", uk: "Тривалість" },
  "drakon-image": { en: "Picture", uk: "Зображення" },
};

export const typeWord = (type: string): Text => typeWords[type] ?? { en: type, uk: type };
