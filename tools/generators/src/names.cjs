/** The spellings of `payment-method`. */
exports.spellings = (name) => {
  const words = name.split('-');
  const pascal = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
  return { kebab: name, snake: words.join('_'), spaced: words.join(' '), pascal, camel: pascal[0].toLowerCase() + pascal.slice(1) };
};
