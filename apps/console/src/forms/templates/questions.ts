import type { TemplateItem } from './template';

/** Questions that several templates ask. */
export const fullName: TemplateItem = {
  type: 'short_text',
  key: 'name',
  required: true,
  max_length: 200,
  autocomplete: 'name',
};

export const emailAddress: TemplateItem = {
  type: 'email',
  key: 'email',
  required: true,
  autocomplete: 'email',
};

export const phoneNumber: TemplateItem = {
  type: 'phone',
  key: 'phone',
  autocomplete: 'tel',
};

export const consent: TemplateItem = {
  type: 'boolean',
  key: 'consent',
  required: true,
  must_be_true: true,
};
