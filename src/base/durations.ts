// Lengths of time, in milliseconds.

export const hourLength = 60 * 60 * 1000;

export const dayLength = 24 * hourLength;
