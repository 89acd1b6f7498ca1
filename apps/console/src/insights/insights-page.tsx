export const InsightsPage = () => <p>InsightsPage</p>;
