// Before anything is drawn, so that no other colours are seen than those that were chosen.
document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'auto';
