/**
 * The codes of the countries: those of ISO 3166-1 alpha-2 (https://www.iso.org/obp/ui/#search/code/, 249 in 2026), and XK, which the standard leaves to its
 * users, and which all of them use for Kosovo. No package that is installed has the list, and `Intl` has names for more than countries.
 */
export const countryCodes: readonly string[] = /* @__PURE__ */ (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU ' +
  'CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE ' +
  'IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
  'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM ' +
  'SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
).split(' ');

/** The most countries that a question lists before all others. */
export const maxPreferred = 20;

/** The most countries that all questions of a form offer together: each is an option of a page, for a few bytes of a draft. */
export const maxOffered = 5_000;

/** The settings of a question, of which the draft has the shape. */
export interface OfferedCountries {
  only?: readonly string[] | undefined;
  preferred?: readonly string[] | undefined;
}

/** The countries from which people choose. */
export const countriesOf = ({ only }: OfferedCountries): readonly string[] => only ?? countryCodes;

/** A country as people choose it. */
export interface CountryOption {
  value: string;
  label: string;
}

/** The names of the countries in a language, in its order. */
interface Named {
  /** The language that the names are in. */
  language: string;
  options: readonly CountryOption[];
  names: ReadonlyMap<string, string>;
}

/** Authors choose the languages, so the cache is bounded: it forgets everything when it is full. */
const maxLanguages = 100;
const known = new Map<string, Named>();

function namedIn(language: string): Named {
  const found = known.get(language);
  if (found) return found;
  if (known.size >= maxLanguages) known.clear();
  // Not the language of the process, where `Intl` has none of the reader's.
  const names = new Intl.DisplayNames([language, 'en'], { type: 'region' });
  const { compare } = new Intl.Collator([language, 'en']);
  const options = countryCodes
    .map((value): CountryOption => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => compare(a.label, b.label));
  const [supported = 'en'] = Intl.DisplayNames.supportedLocalesOf(language);
  const named = { language: supported, options, names: new Map(options.map(({ value, label }) => [value, label])) };
  known.set(language, named);
  return named;
}

/** The name of a country for readers of a language; a code that is none stays as it is. */
export const countryName = (language: string, code: string): string => namedIn(language).names.get(code) ?? code;

/** The names of all countries by their codes. */
export const countryNames = (language: string): ReadonlyMap<string, string> => namedIn(language).names;

/** The language that the names for readers of a language are in: English, where `Intl` has no others. */
export const languageOfCountries = (language: string): string => namedIn(language).language;

/** The countries that a question offers: the preferred ones in their author's order, then all others in the order of the reader's language. */
export function countryOptions({ only, preferred = [] }: OfferedCountries, language: string): CountryOption[] {
  const { options, names } = namedIn(language);
  const first = new Set(preferred);
  const offered = only && new Set(only);
  return [
    ...preferred.map((value) => ({ value, label: names.get(value) ?? value })),
    ...options.filter(({ value }) => !first.has(value) && offered?.has(value) !== false),
  ];
}
