/** Stop words, in lower case, without apostrophes. */
const list = (text: string): string[] => text.split(/\s+/).filter(Boolean);

const UKRAINIAN = list(`
  а або абож адже але б би без був буде будемо будуть була були було бути в вам вами вас весь вже ви від вона вони воно все
  всі всього всіх всім всіма вся втім він да де для до доки ж же з за зате зі зо із й його йому і із інша інше інші інший іншим інших її їй їм
  їх їхній їхня їхнє їхні к коли котра котре котрий котрі кого ко крім куди лише має мати мене мені мною
  ми мій моя моє мої на навіть над нам нами нас наш наша наше наші не нема немає неї нього ній ним ними них ні ніби ніж о об один одна одне
  однак ось от отже переважно перед під після по поки при про саме сам сама самі свій своя своє свої своїх своєї своїм своїми собі
  себе скільки стільки та так така таке такий такі також там те тебе ти тим тими тих то тобі тоді той того тому тут тою тієї тій
  ту у усе усі усіх усім хай хоча хоч хто це цей ця ці цю цього цьому цієї цією цих цим цими час часто чи чий чия чиє чиї чого чому що щоб щодо щось
  як яка яке який які якого якої якому якій яким якими яких якою якби якщо є через між бо
  можна може можуть треба потрібно дуже ще тільки більш більше менш менше
`);

const ENGLISH = list(`
  a about above after again all also am an and any are as at be because been before being below between both but by can cannot could
  did do does doing done down during each either else even ever every few for from further had has have having he her here hers him
  his how however i if in into is it its itself just like many may me might more most much must my no nor not now of off often on once
  one only or other our ours out over own per quite rather same shall she should since so some still such than that the their theirs
  them then there these they this those through thus to too under until up upon us very was we were what when where whether which while
  who whom whose why will with within without would yet you your yours dont doesnt isnt arent wasnt werent didnt cant wont im ive
`);

const STOP_WORDS: ReadonlySet<string> = new Set([...UKRAINIAN, ...ENGLISH]);

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);
