/** Whether a key belongs to a control that the person types into, or to a dialog over the page. */
export const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"]') !== null;
