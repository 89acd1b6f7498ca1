import { emailAddress } from './questions';
import type { Template } from './template';

export const customerFeedback: Template = {
  id: 'customer-feedback',
  title: ['How did we do?', 'Wie zufrieden sind Sie?'],
  about: [
    'Would people recommend you (0 to 10, the Net Promoter Score), and why? Unhappy customers are asked what went wrong.',
    'Würde man Sie weiterempfehlen (0 bis 10, Net Promoter Score), und warum? Wer unzufrieden ist, wird nach dem Grund gefragt.',
  ],
  description: ['Five short questions, about a minute.', 'Fünf kurze Fragen, etwa eine Minute.'],
  thanks: ['Thank you. Your answers help us to get better.', 'Vielen Dank. Ihre Antworten helfen uns, besser zu werden.'],
  items: [
    {
      type: 'integer',
      key: 'recommend',
      label: ['How likely are you to recommend us to a friend?', 'Wie wahrscheinlich ist es, dass Sie uns weiterempfehlen?'],
      help: ['From 0, not at all likely, to 10, extremely likely.', 'Von 0, sehr unwahrscheinlich, bis 10, sehr wahrscheinlich.'],
      required: true,
      min: 0,
      max: 10,
    },
    {
      type: 'long_text',
      key: 'reason',
      label: ['What is the main reason for this number?', 'Was ist der wichtigste Grund dafür?'],
      max_length: 2_000,
    },
    {
      type: 'rating',
      key: 'service',
      label: ['How was our service?', 'Wie war unser Service?'],
      required: true,
      max: 5,
    },
    {
      type: 'multi_select',
      key: 'problems',
      label: ['What went wrong?', 'Was ist schiefgegangen?'],
      options: [
        ['slow', 'It took too long', 'Es hat zu lange gedauert'],
        ['unfriendly', 'We were not friendly', 'Wir waren nicht freundlich'],
        ['quality', 'The quality was poor', 'Die Qualität war schlecht'],
        ['price', 'The price was too high', 'Der Preis war zu hoch'],
        ['other', 'Something else', 'Etwas anderes'],
      ],
      visible_if: { key: 'service', in: [1, 2] },
    },
    {
      type: 'boolean',
      key: 'may_contact',
      label: ['May we ask you more about it?', 'Dürfen wir Sie dazu noch etwas fragen?'],
    },
    { ...emailAddress, visible_if: { key: 'may_contact', equals: true } },
  ],
};
