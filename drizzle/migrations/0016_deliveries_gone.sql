-- Events are recognized by what they are, so that no delivery need be remembered.
DROP TABLE `deliveries`;
