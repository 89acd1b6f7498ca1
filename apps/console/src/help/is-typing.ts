/** Fields of these types take no text, so that a key that writes means nothing to them. */
const withoutText = ['checkbox', 'radio', 'range', 'color', 'file', 'button', 'submit', 'reset', 'image'];
const texts = `input${withoutText.map((type) => `:not([type=${type}])`).join('')}, textarea, [contenteditable]`;

/** Whether a key goes into a text that the person writes. */
export const isTyping = ({ target }: KeyboardEvent): boolean => target instanceof Element && target.closest(texts) !== null;
