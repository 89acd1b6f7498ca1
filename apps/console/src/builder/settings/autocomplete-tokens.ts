import type { AutocompleteToken } from '@sheaf/client';

/** In the order in which people look for them; none may be missing. */
const order: Readonly<Record<AutocompleteToken, true>> = {
  name: true,
  'given-name': true,
  'family-name': true,
  email: true,
  tel: true,
  'street-address': true,
  'postal-code': true,
  'address-level2': true,
  'address-level1': true,
  'country-name': true,
  country: true,
  'address-line1': true,
  'address-line2': true,
  'address-line3': true,
  organization: true,
  'organization-title': true,
  bday: true,
  url: true,
  language: true,
  sex: true,
  nickname: true,
  'additional-name': true,
  'honorific-prefix': true,
  'honorific-suffix': true,
};

export const autocompleteTokens = Object.keys(order) as AutocompleteToken[];
