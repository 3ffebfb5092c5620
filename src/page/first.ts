// Runs before the first paint, so that the theme does not flash.
document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'auto';
