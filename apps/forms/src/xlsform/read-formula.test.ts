import type { Field } from '@sheaf/contracts';
import { checkFormula, printFormula, typeOfFormat } from '@sheaf/formulas';
import { NotKept } from './calculation-grammar';
import { readFormula } from './read-formula';

const options = (...values: string[]) => values.map((value) => ({ value, label: value }));
const asked = [
  { key: 'age', type: 'integer' },
  { key: 'places', type: 'integer', min: 0 },
  { key: 'price', type: 'number' },
  { key: 'name', type: 'short_text' },
  { key: 'city', type: 'short_text' },
  { key: 'agreed', type: 'boolean' },
  { key: 'born', type: 'date' },
  { key: 'died', type: 'date' },
  { key: 'seen', type: 'datetime' },
  { key: 'level', type: 'select', options: options('1', '2', 'none') },
  { key: 'likes', type: 'multi_select', options: options('red', 'blue') },
  { key: 'photo', type: 'file' },
  { key: 'is_old', type: 'calculated', format: 'boolean', formula: 'age > 60' },
].map((field) => ({ label: field.key, required: false, ...field })) as Field[];
const fields = new Map(asked.map((field) => [field.key, field]));
const guests = { key: 'guests', label: 'Guests', type: 'repeat', required: false, fields: asked } as Field;

/** The formula as a form has it, which is right there and gives what its format says. */
function formulaOf(calculation: string): string {
  const { tree, format } = readFormula(calculation, fields, { areTranslated: false });
  const formula = printFormula(tree);
  const { formula: checked, fault } = { formula: undefined, ...checkFormula(formula, (key) => fields.get(key)) };
  expect([fault, checked?.gives]).toEqual([undefined, typeOfFormat[format]]);
  return `${format}: ${formula}`;
}

it.each([
  ['${age} + 1', 'number: age + 1'],
  ['(${age} - 1) * 2 div 3 mod 5', 'number: (age - 1) * 2 / 3 % 5'],
  ['-${age}+-2', 'number: -age + -2'],
  ['0 - ${age}', 'number: -age'],
  ["concat(${name}, ' of “${city}”', ${age})", 'text: concat(name, \' of "${city}"\', age)'],
  ['concat(${name}, ${age} > 3)', "text: concat(name, if(age > 3, 'true', 'false'))"],
  ['string(${age})', 'text: concat(age)'],
  ['${name}', 'text: name'],
  ["if(${age} >= 18, 'adult', 'child')", "text: if(age >= 18, 'adult', 'child')"],
  ["if(${age} >= 18, '1', '0')", 'number: if(age >= 18, 1, 0)'],
  ["if(${age} >= 18, 5, '')", 'number: if(age >= 18, 5)'],
  ["if(${age} >= 18, '', 5)", 'number: if(not age >= 18, 5)'],
  ["if(${age} >= 18, 5, 'none')", "text: if(age >= 18, '5', 'none')"],
  ['if(true(), ${age}, 5)', 'number: age'],
  ['${age} > 3 and not(${price} < 2 or false())', 'boolean: age > 3 and not price < 2'],
  ['coalesce(${age}, 0) + coalesce(${name}, "")', undefined],
  ['coalesce(${age}, 0)', 'number: coalesce(age, 0)'],
  ["${age} = ''", 'boolean: count(age) = 0'],
  ["${age} != ''", 'boolean: count(age) > 0'],
  ["${photo} != ''", 'boolean: count(photo) > 0'],
  ["if(${age} != '', 1, 0) + if(${name} != '', 1, 0)", 'number: count(age, name)'],
  ["if(${likes} != '', 1, 0)", 'number: if(count(likes) > 0, 1, 0)'],
  ["(${age} + 1) = ''", 'boolean: false'],
  ['string-length(${name}) > 0', 'boolean: count(name) > 0'],
  ['${name} = ${city}', 'boolean: name = city or count(name, city) = 0'],
  ['${name} != ${city}', 'boolean: name != city and count(name, city) > 0'],
  ["${name} = 'Ann'", "boolean: name = 'Ann'"],
  ["${age} = '18'", 'boolean: age = 18'],
  ['${level} = 2', "boolean: level = '2'"],
  ['${level} * 3', "number: coalesce(if(level = '1', 1), if(level = '2', 2)) * 3"],
  ["${agreed} = 'OK'", 'boolean: agreed = true'],
  ["${agreed} != ''", 'boolean: agreed = true'],
  ['${agreed}', "text: if(agreed, 'OK')"],
  ["${is_old} = 'true'", 'boolean: is_old = true'],
  ["if(${is_old} = 'false', 1, 2)", 'number: if(is_old = false, 1, 2)'],
  ["selected(${likes}, 'red')", "boolean: selected(likes, 'red')"],
  ["selected(${likes}, 'grey')", 'boolean: false'],
  ["selected('1 2', ${level})", "boolean: level = '1' or level = '2'"],
  ["${likes} = 'red'", "boolean: selected(likes, 'red') and count(likes) = 1"],
  ['count-selected(${likes})', 'number: count(likes)'],
  ["jr:choice-name(${level}, '${level}')", 'text: label(level)'],
  ['today()', 'date: today()'],
  ['${born}', 'date: born'],
  ["if(${age} > 3, ${born}, '2020-01-31')", "date: if(age > 3, born, '2020-01-31')"],
  ["${born} < date('2020-01-31')", "boolean: born < '2020-01-31'"],
  ['${died} - ${born}', 'number: days_between(born, died)'],
  ['round(decimal-date-time(${died}) - decimal-date-time(${born}), 0)', 'number: days_between(born, died)'],
  ["format-date(${born}, '%Y-%m-%d')", 'text: concat(born)'],
  ['date(max(${born}, ${died}))', 'date: if(count(born, died) = 2, max(born, died))'],
  ['max(${age}, 3)', 'number: if(count(age) = 1, max(age, 3))'],
  ['max(coalesce(${age}, 0), 3)', 'number: max(coalesce(age, 0), 3)'],
  ['min(${age}, ${places})', 'number: if(count(age, places) = 2, min(age, places))'],
  ['sum(${age})', 'number: age'],
  ['int(${places} div 2)', 'number: floor(places / 2)'],
  ['int(${age} div 2)', 'number: age / 2 - age / 2 % 1'],
  ['int(${age})', 'number: age'],
  ['(int(${price}) - if(${price} < int(${price}), 1, 0))', 'number: floor(price)'],
  ['(int(${price}) + if(${price} > int(${price}), 1, 0))', 'number: ceil(price)'],
  ['floor(${price})', 'number: floor(price)'],
  ['round(${places} div 3, 2)', 'number: round(places / 3, 2)'],
  ['round(${price})', 'number: floor(price + 0.5)'],
  ['round(${price}, 1)', 'number: floor(price * 10 + 0.5) / 10'],
  ['round(${age}, -1)', 'number: floor(age / 10 + 0.5) * 10'],
  ['abs(${price})', 'number: abs(price)'],
  ['pow(${price}, 2)', 'number: price * price'],
  ['number("007")', 'number: 7'],
  ['${price} &gt; 3', 'boolean: price > 3'],
])('the calculation %j is read as %j', (calculation, formula) => {
  if (formula === undefined) expect(() => formulaOf(calculation)).toThrow(NotKept);
  else expect(formulaOf(calculation)).toBe(formula);
});

it.each([
  ['once(uuid())', 'formulas have no once()'],
  ['random()', 'formulas have no random()'],
  ['now()', 'formulas have no now()'],
  ['${later} + 1', '"later" is no earlier question whose answers formulas can use'],
  ['. + 1', '"." is no earlier question whose answers formulas can use'],
  ['${name} + 1', 'it computes with a text'],
  ['${likes} + 1', 'it computes with several answers'],
  ['${born} + 30', 'it computes with a day'],
  ['${seen} - ${born}', 'it computes with a day with a time'],
  ['${seen}', 'it gives a day with a time'],
  ['${likes}', 'it gives several answers'],
  ['decimal-date-time(${born})', 'it gives a day as a number'],
  ["''", 'it gives nothing'],
  ['if(${age}, 1, 0)', 'it takes the answer to "age" for yes or no'],
  ["if(${age} > 3, ${age} > 4, 'x')", 'one of its results is yes or no, and another one is not'],
  ["if(${age} > 3, ${age} + 1, ${age}) = ''", 'it asks whether a result is empty that may also be no number'],
  ["${level} = if(${age} > 3, '18', '')", 'it compares results that may be empty'],
  ['string-length(${name}) > 3', 'formulas have no string-length()'],
  ["jr:choice-name(${level}, '${likes}')", 'jr:choice-name() asks for the label of another answer'],
  ['round(${age}, ${places})', 'round() has other places than a whole number up to 15'],
  ['pow(${age}, 0.5)', 'pow() has an exponent other than 1 to 4'],
  ['if(${age} > 3, 1)', 'if() has another number of values'],
  ['${age} +', 'it is no expression that can be read'],
  ['/data/age + 1', 'it is no expression that can be read'],
  ['age + 1', '"age" is neither a question nor a text'],
  [`${'('.repeat(50)}1${')'.repeat(50)}`, 'its parentheses are too deep'],
  [`${'int('.repeat(12)}\${price}${')'.repeat(12)}`, undefined],
  [`${'pow('.repeat(6)}\${price}${', 4)'.repeat(6)}`, 'its formula would have more than 200 parts'],
])('the calculation %j is not read, as %j', (calculation, fault) => {
  if (fault === undefined) expect(() => formulaOf(calculation)).not.toThrow();
  else expect(() => formulaOf(calculation)).toThrow(fault);
});

it('says where a formula differs: in a division by zero, and in the language of labels', () => {
  const remarksOf = (calculation: string) => readFormula(calculation, fields, { areTranslated: true }).remarks;
  expect(remarksOf('${age} div 2')).toEqual([]);
  expect(remarksOf('${age} div ${places}')).toEqual([expect.stringContaining('divides by zero')]);
  expect(remarksOf("jr:choice-name(${level}, '${level}')")).toEqual([expect.stringContaining('in the language of the form')]);
});

describe('behind a repeat, the calculation', () => {
  const ofItems = (name: string) => {
    const field = fields.get(name);
    return field && { repeat: guests, field };
  };
  const behind = { get: () => undefined, repeat: (name: string) => (name === 'guests' ? guests : undefined), ofItems };
  const read = (calculation: string) => printFormula(readFormula(calculation, behind, { areTranslated: false }).tree);

  it.each([
    ["count(${age}[. != ''])", 'count(guests.age)'],
    ['count( ${age} [.!=""] )', 'count(guests.age)'],
    ["count(../guests/age[ . != '' ])", undefined],
    ["if(count(${level}[. != '']) > 0, 1, 0)", 'if(count(guests.level) > 0, 1, 0)'],
    ['count-selected( join(" ",${likes}))', 'count(guests.likes)'],
    ['max(${price}, ${places}, 2)', 'max(guests.price, guests.places, 2)'],
    ["count(${age}[. != '']) + count(${guests})", 'count(guests.age, guests)'],
    ['coalesce(min(${price}), 0) - coalesce(sum(${price}), 0)', 'coalesce(min(guests.price), 0) - coalesce(sum(guests.price), 0)'],
  ])('%j is read as %j', (calculation, formula) => {
    if (formula === undefined) expect(() => read(calculation)).toThrow(NotKept);
    else expect(read(calculation)).toBe(formula);
  });

  it.each([
    ["count(${age}[. = ''])", 'it is no expression that can be read'],
    ["count(${age}[. != 'x'])", 'it is no expression that can be read'],
    ["count(${age}[${age} != ''])", 'it is no expression that can be read'],
    ["count(${age}[. != ''", 'it is no expression that can be read'],
    ["count(${age}[. != ''][. != ''])", 'it is no expression that can be read'],
    ['count(${age}[1])', 'it is no expression that can be read'],
    ["count(${guests}[. != ''])", "count() takes [. != ''] of something else than a question of a repeat"],
    ["count(${likes}[. != ''])", "count() takes [. != ''] of several answers, of which formulas count each"],
    ["count-selected(join(' ', ${age}))", 'formulas have no join()'],
    ["count-selected(join(', ', ${likes}))", 'formulas have no join()'],
    ["sum(${age}[. != ''])", "it takes [. != ''] of an answer that it does not count"],
  ])('%j is not read, as %j', (calculation, fault) => {
    expect(() => read(calculation)).toThrow(fault);
  });
});
