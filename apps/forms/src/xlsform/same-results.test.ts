import type { Field } from '@sheaf/contracts';
import { checkFormula, evaluate, printFormula, type Formula } from '@sheaf/formulas';
import { propertyRuns } from '@sheaf/testing';
import fc from 'fast-check';
import { NotKept, readCalculation, type Expression } from './calculation-grammar';
import { readFormula } from './read-formula';
import { maxLength } from './table';
import type { Names } from './write-expressions';
import { xpathOfFormula } from './write-formula';
import { isTicked } from './write-question';

const options = (...values: string[]) => values.map((value) => ({ value, label: value }));
const asked = [
  { key: 'age', type: 'integer' },
  { key: 'places', type: 'integer', min: 0 },
  { key: 'price', type: 'number' },
  { key: 'name', type: 'short_text' },
  { key: 'city', type: 'short_text' },
  { key: 'agreed', type: 'boolean' },
  { key: 'sure', type: 'boolean', required: true },
  { key: 'grown', type: 'calculated', formula: 'age >= 18', format: 'boolean' },
  { key: 'born', type: 'date' },
  { key: 'died', type: 'date' },
  { key: 'level', type: 'select', options: options('1', '2', 'none') },
  { key: 'likes', type: 'multi_select', options: options('red', 'blue') },
].map((field) => ({ label: field.key, required: false, ...field })) as Field[];
const fields = new Map(asked.map((field) => [field.key, field]));
/** As they are read again: people choose yes or no where they must. */
const fieldsAgain = new Map([
  ...fields,
  ['sure', { ...fields.get('age'), key: 'sure', type: 'select', options: options('true', 'false') } as Field],
]);
const names: Names = {
  get: (key) => {
    const field = fields.get(key);
    return field && { field, isTicked: isTicked(field), nameOf: (value) => value };
  },
};

const eachAnswer = {
  age: fc.constantFrom(-7, -1, 0, 1, 18),
  places: fc.constantFrom(0, 1, 5),
  price: fc.constantFrom(-2.5, -0.5, 0, 0.25, 2.5, 18),
  name: fc.constantFrom('Ann', 'Berlin', '18'),
  city: fc.constantFrom('Ann', 'Berlin'),
  // A box that is not ticked has no answer.
  agreed: fc.constant(true),
  sure: fc.boolean(),
  grown: fc.boolean(),
  born: fc.constantFrom('2001-01-31', '2001-02-01'),
  died: fc.constantFrom('2001-01-31', '2024-02-29'),
  level: fc.constantFrom('1', '2', 'none'),
  likes: fc.subarray(['red', 'blue'], { minLength: 1 }),
};
const answers = fc.record(eachAnswer, { requiredKeys: [] });
const wholeAnswers = fc.record(eachAnswer);
type Answers = Readonly<Record<string, unknown>>;

/** A day, which XPath takes for a number of days where it computes. */
class Day {
  constructor(readonly days: number) {}
}
type Value = number | string | boolean | Day;

/** The value of an expression as ODK computes it (JavaRosa, `XPathFuncExpr` and `XPathEqExpr`), of which this knows what is drawn below. */
function valueOf(expression: Expression, given: Answers): Value {
  if (expression.is === 'number') return Number(expression.text);
  if (expression.is === 'text') return expression.text;
  if (expression.is === 'name') return answerIn(expression.text, given);
  const { of, parts } = expression;
  const at = (index: number): Value => {
    const part = parts[index];
    if (!part) throw new Error(`${of} has no value ${index}`);
    return valueOf(part, given);
  };
  const number = (index: number) => asNumber(at(index));
  const all = () => parts.map((_, index) => number(index));
  const values: Readonly<Record<string, () => Value>> = {
    or: () => asTruth(at(0)) || asTruth(at(1)),
    and: () => asTruth(at(0)) && asTruth(at(1)),
    not: () => !asTruth(at(0)),
    true: () => true,
    false: () => false,
    '=': () => areEqual(at(0), at(1)),
    '!=': () => !areEqual(at(0), at(1)),
    '<': () => number(0) < number(1),
    '<=': () => number(0) <= number(1),
    '>': () => number(0) > number(1),
    '>=': () => number(0) >= number(1),
    '+': () => number(0) + number(1),
    '-': () => number(0) - number(1),
    '*': () => number(0) * number(1),
    div: () => number(0) / number(1),
    mod: () => number(0) % number(1),
    negative: () => -number(0),
    if: () => at(asTruth(at(0)) ? 1 : 2),
    'jr:choice-name': () => at(0),
    coalesce: () => (at(0) === '' || Number.isNaN(at(0)) ? at(1) : at(0)),
    concat: () => parts.map((_, index) => asText(at(index))).join(''),
    string: () => asText(at(0)),
    number: () => number(0),
    int: () => Math.trunc(number(0)),
    floor: () => Math.floor(number(0)),
    ceiling: () => Math.ceil(number(0)),
    abs: () => Math.abs(number(0)),
    pow: () => number(0) ** number(1),
    // Half of -5 is rounded to -2.
    round: () => Math.floor(number(0) * 10 ** (parts.length > 1 ? number(1) : 0) + 0.5) / 10 ** (parts.length > 1 ? number(1) : 0),
    min: () => Math.min(...all()),
    max: () => Math.max(...all()),
    'count-selected': () => asText(at(0)).split(' ').filter(Boolean).length,
    selected: () =>
      asText(at(0))
        .split(' ')
        .includes(asText(at(1))),
    date: () => asDay(at(0)),
    'decimal-date-time': () => number(0),
  };
  const read = values[of];
  if (!read) throw new Error(`${of} is not known here`);
  return read();
}

function answerIn(key: string, given: Answers): Value {
  const answer = given[key];
  if (answer === undefined) return '';
  if (key === 'born' || key === 'died') return asDay(answer as string);
  if (key === 'agreed') return 'OK';
  if (typeof answer === 'boolean') return String(answer);
  return Array.isArray(answer) ? answer.join(' ') : (answer as Value);
}

const msInDay = 86_400_000;
const asDay = (value: Value): Value => {
  if (value instanceof Day) return value;
  const days = typeof value === 'number' ? value : Date.parse(asText(value)) / msInDay;
  return Number.isNaN(days) ? '' : new Day(days);
};
const asNumber = (value: Value): number =>
  value instanceof Day ? value.days : typeof value === 'string' ? (value.trim() === '' ? Number.NaN : Number(value)) : Number(value);
const asText = (value: Value): string => (value instanceof Day ? new Date(value.days * msInDay).toISOString().slice(0, 10) : String(value));
const asTruth = (value: Value): boolean =>
  typeof value === 'number' ? value !== 0 && !Number.isNaN(value) : value !== false && value !== '';

function areEqual(a: Value, b: Value): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') return asTruth(a) === asTruth(b);
  if (typeof a === 'number' || typeof b === 'number') return Math.abs(asNumber(a) - asNumber(b)) < 1e-12;
  return asText(a) === asText(b);
}

/** The answer that is stored of it. */
const stored = (value: Value): unknown => (value === '' || Number.isNaN(value) ? undefined : value instanceof Day ? asText(value) : value);

const literal = fc.constantFrom('0', '1', '2', '2.5', '18');
const word = fc.constantFrom("'Ann'", "'18'", "'x y'");
const day = fc.constantFrom('${born}', '${died}', "date('2001-02-01')");
const drawn = fc.letrec<{ number: string; truth: string; text: string }>((tie) => {
  const [number, truth, text] = [tie('number'), tie('truth'), tie('text')];
  const filled = (pattern: string, ...parts: readonly fc.Arbitrary<string>[]) =>
    fc.tuple(...parts).map((values) => values.reduce((whole, value) => whole.replace('_', () => value), pattern));
  return {
    number: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      literal,
      fc.constantFrom('${age}', '${places}', '${price}', 'count-selected(${likes})', 'number(${level})'),
      fc.constantFrom('+', '-', '*').chain((sign) => filled(`(_ ${sign} _)`, number, number)),
      fc.constantFrom('div 2', 'div 4', 'mod 2', 'mod 3').chain((by) => filled(`(_ ${by})`, number)),
      fc.constantFrom('int', 'floor', 'ceiling', 'abs', 'round', '-').chain((of) => filled(`${of}(_)`, number)),
      fc.constantFrom('max', 'min').chain((of) => filled(`${of}(_, _)`, number, number)),
      filled('if(_, _, _)', truth, number, number),
      filled("if(_, _, '')", truth, number),
      filled("if(_, '', _)", truth, number),
      filled("if(_, '1', '2')", truth),
      filled('coalesce(_, _)', number, literal),
      filled('pow(_, 2)', number),
      filled('(_ - _)', day, day),
    ),
    truth: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom("selected(${likes}, 'red')", "${likes} = 'blue'", "${likes} != 'red'", "${agreed} = 'OK'", "${agreed} != ''"),
      fc.constantFrom('${level} = 2', '${level} != 1', "${level} = 'none'", '${level} > 1', "selected('1 none', ${level})", 'true()'),
      fc.constantFrom('=', '!=', '<', '<=', '>', '>=').chain((sign) => filled(`(_ ${sign} _)`, number, number)),
      fc.constantFrom('=', '!=').chain((sign) => filled(`(_ ${sign} _)`, text, text)),
      fc.constantFrom('=', '!=').chain((sign) => filled(`(_ ${sign} '')`, fc.oneof(text, number))),
      fc.constantFrom('=', '!=').chain((sign) => filled(`(_ ${sign} _)`, text, literal)),
      fc.constantFrom('=', '<', '>=').chain((sign) => filled(`(_ ${sign} _)`, day, day)),
      fc.constantFrom('and', 'or', '=').chain((sign) => filled(`(_ ${sign} _)`, truth, truth)),
      filled('not(_)', truth),
      filled('(_ = 1)', truth),
    ),
    text: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      word,
      fc.constantFrom('${name}', '${city}', '${level}', 'string(${born})'),
      filled('concat(_, _)', text, fc.oneof(text, fc.constantFrom('${age}', '${price}', '3'))),
      filled('if(_, _, _)', truth, text, text),
      filled("if(_, _, '')", truth, text),
      filled('coalesce(_, _)', text, text),
    ),
  };
});
const isWhole = (given: Answers): boolean => Object.keys(given).length === Object.keys(eachAnswer).length;

/** An option may be no number, and an expression nothing by itself. */
const mayMiss = /''|\$\{level\}/;

const calculation = fc.oneof(drawn.number, drawn.truth, drawn.text, fc.constantFrom('date(max(${born}, ${died}))', '${born}'));

function formulaOf(written: string, known = fields): { formula: Formula; text: string } | undefined {
  try {
    const text = printFormula(readFormula(written, known, { areTranslated: false }).tree);
    const { formula } = { formula: undefined, ...checkFormula(text, (key) => known.get(key)) };
    if (!formula) throw new Error(`${written} is read as ${text}, which is wrong`);
    return { formula, text };
  } catch (error) {
    if (error instanceof NotKept) return undefined;
    throw error;
  }
}

const resultOf = (formula: Formula, given: Answers): unknown =>
  evaluate(formula, { answers: given, today: () => '2026-05-31', labels: {} });

/** XPath computes with doubles, and formulas with decimals of 15 digits. */
const nearly = (value: unknown, result: unknown): unknown => {
  // A text such as '1' is the number in a form.
  const alike = typeof result === 'number' && typeof value === 'string' ? Number(value) : value;
  return typeof alike === 'number' ? expect.closeTo(alike, 6) : alike;
};

it('a calculation that is read gives what ODK computes for the same answers, and comes out as one that gives the same for whole answers', () => {
  let kept = 0;
  const runs = propertyRuns(3_000);
  fc.assert(
    fc.property(calculation, fc.array(fc.oneof(answers, wholeAnswers), { minLength: 8, maxLength: 8 }), (written, cases) => {
      const read = formulaOf(written);
      if (!read) return;
      kept += 1;
      const expression = readCalculation(written);
      const cameOut = xpathOfFormula(read.formula.tree, names);
      // Longer ones than are read are named at the import.
      const again = cameOut.length <= maxLength ? formulaOf(cameOut) : read;
      if (!again) throw new Error(`${read.text} comes out as ${cameOut}, which is not read`);
      for (const given of [{}, ...cases]) {
        const result = resultOf(read.formula, given);
        expect([given, result]).toEqual([given, nearly(stored(valueOf(expression, given)), result)]);
        // The expression that comes out computes the same for as long as nothing is missing.
        if (isWhole(given) && !mayMiss.test(written)) expect([given, resultOf(again.formula, given)]).toEqual([given, result]);
      }
    }),
    runs,
  );
  expect(kept).toBeGreaterThan(runs.numRuns / 2);
});

/** Formulas that compare answers which may all be missing. */
const compared = fc.letrec<{ truth: string }>((tie) => {
  const value = fc.constantFrom(
    ...['name', 'city', 'level', 'coalesce(name, city)', 'if(age = 1, city)', "'Ann'"],
    ...['concat(name, city)', 'concat(city)', "concat(name, '!')", 'label(level)'],
  );
  const truth = fc.constantFrom('sure', 'grown', 'true', 'false', '(age = 1)', '(not sure)', 'if(age = 1, (not sure), (not grown))');
  const equation = (of: fc.Arbitrary<string>) => fc.tuple(of, fc.constantFrom('=', '!='), of).map((parts) => `(${parts.join(' ')})`);
  return {
    truth: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      equation(value),
      equation(fc.constantFrom('age', 'places', 'price', 'coalesce(price, age)', '18')),
      equation(fc.constantFrom('born', 'died')),
      equation(truth),
      fc.tuple(tie('truth'), fc.constantFrom('and', 'or'), tie('truth')).map((parts) => `(${parts.join(' ')})`),
      tie('truth').map((one) => `(not ${one})`),
      fc.constantFrom('count(name, city) = 0', 'count(name, city) > 0', '(name = city or count(name, city) = 0)'),
      fc.constantFrom('count(sure, grown) = 1', '(sure = grown or count(sure, grown) = 0)', '(sure != grown and count(sure, grown) > 0)'),
    ),
  };
}).truth;

it('a formula that compares answers comes out as one that ODK computes alike, also while they are missing, and is read again as it was', () => {
  fc.assert(
    fc.property(compared, fc.array(answers, { minLength: 8, maxLength: 8 }), (text, cases) => {
      const { formula } = { formula: undefined, ...checkFormula(text, (key) => fields.get(key)) };
      if (!formula) throw new Error(`${text} is wrong`);
      const cameOut = xpathOfFormula(formula.tree, names);
      const again = cameOut.length <= maxLength ? formulaOf(cameOut, fieldsAgain)?.formula : formula;
      if (!again) throw new Error(`${text} comes out as ${cameOut}, which is not read`);
      for (const given of [{}, ...cases]) {
        const result = resultOf(formula, given);
        expect([cameOut, given, valueOf(readCalculation(cameOut), given)]).toEqual([cameOut, given, result]);
        const givenAgain = given.sure === undefined ? given : { ...given, sure: String(given.sure) };
        expect([cameOut, given, resultOf(again, givenAgain)]).toEqual([cameOut, given, result]);
      }
    }),
    propertyRuns(500),
  );
});

it('a comparison of two answers comes out with the question whether there is one, and is read again as the same formula', () => {
  for (const text of ['name = city', 'name != city', 'name = city or count(name, city) = 0']) {
    const { formula } = { formula: undefined, ...checkFormula(text, (key) => fields.get(key)) };
    if (!formula) throw new Error(`${text} is wrong`);
    const cameOut = xpathOfFormula(formula.tree, names);
    expect(cameOut).toBe(
      { 'name = city': "(${name} = ${city} and ${name} != '')", 'name != city': "(${name} != ${city} or ${name} = '')" }[text] ??
        '(${name} = ${city})',
    );
    expect(formulaOf(cameOut)?.text).toBe(text);
  }
});
