export const VersionsPage = () => <p>VersionsPage</p>;
