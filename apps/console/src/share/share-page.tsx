export const SharePage = () => <p>SharePage</p>;
