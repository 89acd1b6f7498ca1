module.exports = () => globalThis.__stopServers();
