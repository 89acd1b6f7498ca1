import { emailAddress, fullName } from './questions';
import type { Template } from './template';

export const order: Template = {
  id: 'order',
  title: ['Place an order', 'Bestellung'],
  about: [
    'Product, size and number, with delivery or collection. Add a price to be paid at once if you like.',
    'Produkt, Größe und Anzahl, mit Lieferung oder Abholung. Auf Wunsch mit einem Preis, der gleich bezahlt wird.',
  ],
  description: ['Order before noon, and it leaves our house the same day.', 'Bis mittags bestellt, verlässt es am selben Tag unser Haus.'],
  thanks: [
    'Thank you for your order. You will hear from us when it is on its way.',
    'Vielen Dank für Ihre Bestellung. Sie hören von uns, sobald sie unterwegs ist.',
  ],
  settings: { review_before_sending: true, show_answers: true },
  items: [
    { type: 'section', label: ['What you order', 'Ihre Auswahl'] },
    {
      type: 'select',
      key: 'product',
      label: ['Product', 'Produkt'],
      required: true,
      options: [
        ['shirt', 'T-shirt', 'T-Shirt'],
        ['mug', 'Mug', 'Becher'],
        ['poster', 'Poster', 'Plakat'],
      ],
    },
    {
      type: 'select',
      key: 'size',
      label: ['Size', 'Größe'],
      required: true,
      options: [
        ['s', 'Small', 'S'],
        ['m', 'Medium', 'M'],
        ['l', 'Large', 'L'],
        ['xl', 'Extra large', 'XL'],
      ],
      visible_if: { key: 'product', equals: 'shirt' },
    },
    { type: 'integer', key: 'quantity', label: ['How many?', 'Wie viele?'], required: true, min: 1, max: 50 },
    {
      type: 'multi_select',
      key: 'extras',
      label: ['Extras', 'Extras'],
      options: [
        ['gift', 'Wrapped as a gift', 'Als Geschenk verpackt'],
        ['note', 'With a card', 'Mit einer Karte'],
      ],
    },
    {
      type: 'short_text',
      key: 'card_text',
      label: ['Text on the card', 'Text auf der Karte'],
      max_length: 140,
      required: true,
      visible_if: { key: 'extras', equals: 'note' },
    },
    { type: 'section', label: ['How you get it', 'So erhalten Sie es'] },
    {
      type: 'select',
      key: 'delivery',
      label: ['Delivery', 'Lieferung'],
      required: true,
      options: [
        ['post', 'By post', 'Mit der Post'],
        ['collect', 'I collect it', 'Ich hole es ab'],
      ],
    },
    {
      type: 'long_text',
      key: 'address',
      label: ['Address', 'Adresse'],
      required: true,
      max_length: 500,
      autocomplete: 'street-address',
      visible_if: { key: 'delivery', equals: 'post' },
    },
    {
      type: 'date',
      key: 'collect_on',
      label: ['On which day?', 'An welchem Tag?'],
      required: true,
      visible_if: { key: 'delivery', equals: 'collect' },
    },
    fullName,
    emailAddress,
  ],
};
