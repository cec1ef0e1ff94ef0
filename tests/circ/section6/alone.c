/* In place of the surroundings that `generate` writes. */
void task_work(int value);
void interrupt_work(int value);
void task_work(int value) { (void)value; }
void interrupt_work(int value) { (void)value; }
