const learned = {
  control: { units: 120, successes: 30, probabilityOfBest: 0.018698702208685785, allocation: 50 },
  test: { units: 120, successes: 45, probabilityOfBest: 0.9813012977913143, allocation: 50 },
};

export const learnedExample = {
  time: 1_767_578_400_000,
  explorationEndTime: 1_767_657_600_000,
  variants: [
    {
      name: 'control',
      ...learned.control,
      rate: 0.25,
      mean: null,
      interval: { lower: 0.18118224292875643, upper: 0.33464806591147866 },
    },
    {
      name: 'test',
      ...learned.test,
      rate: 0.375,
      mean: null,
      interval: { lower: 0.29347595599394316, upper: 0.46444156649522333 },
    },
  ],
  hours: [
    {
      time: 1_767_578_400_000,
      variants: [
        { name: 'control', ...learned.control },
        { name: 'test', ...learned.test },
      ],
    },
  ],
  warnings: [],
};
