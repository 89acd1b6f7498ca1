/** Formats the code that a generator has written, as `npm run format` does. Nx's own helper knows Prettier alone. */
exports.formatCode = async (tree) => {
  const { format } = await import('oxfmt');
  const settings = JSON.parse(tree.read('.prettierrc.json', 'utf8'));
  for (const { path, type, content } of tree.listChanges()) {
    if (type === 'DELETE' || !/\.(?:tsx?|[cm]js)$/.test(path)) continue;
    const { code, errors } = await format(path, content.toString(), settings);
    if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
    tree.write(path, code);
  }
};
